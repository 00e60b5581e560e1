import type { SharedLink, SignupResult, StorageAdapter, StorageCall } from '../core/adapter.ts';
import { normalizeEmail } from '../core/email.ts';
import { isStorageError, StorageError } from '../core/errors.ts';
import type { FieldDeclarations } from '../core/fields.ts';
import { mergeSession, splitTotals, summarize, toSessionRecord } from '../core/metrics.ts';
import { refuseUnknown, rethrowMistake } from '../core/misuse.ts';
import type { SessionRecord, StoredSignup } from '../core/records.ts';
import { clampDuration, clampTimes } from '../core/session-checks.ts';
import { parseEmail, parseSessionId, parseSessionStart, parseSessionUpdate, parseSignup } from '../core/validation.ts';
import { type MemoryScript, type MemorySignupStep, playScript } from './memory/script.ts';

export type { MemoryScript, MemorySignupStep, MemoryStep, MemorySteps } from './memory/script.ts';

/** The data of a memory adapter, for tests to read. */
export interface MemoryStore {
  /** Keyed by normalized address. */
  readonly signups: Map<string, StoredSignup>;
  /** Keyed by session id. */
  readonly sessions: Map<string, SessionRecord>;
  /** Addresses that received the welcome email, in order. */
  readonly welcomed: string[];
}

/**
 * Creates the data of a memory adapter, for tests to read.
 *
 * @example
 * const store = memoryStore();
 * const adapter = memoryAdapter({ store });
 */
export function memoryStore(): MemoryStore {
  return { signups: new Map(), sessions: new Map(), welcomed: [] };
}

/** Options of `memoryAdapter`. */
export interface MemoryAdapterOptions {
  /**
   * The admin email that may read the summary. If missing, no one may. It is visible in the page's code: use it for
   * demos and tests, not for secrets.
   */
  adminEmail?: string | undefined;
  /** The fields that a signup may have in addition to the address. Default: none. */
  fields?: FieldDeclarations | undefined;
  /** The share link of every signup. Default: none. */
  share?: SharedLink | undefined;
  /** Where to store the data. Default: a new store. */
  store?: MemoryStore | undefined;
  /** Returns epoch milliseconds. Default: the system clock. */
  now?: (() => number) | undefined;
  /**
   * Scripted behavior for stories, tests and demos: with `{ createSignup: [{ offline: true }, {}] }` the first call
   * fails as if offline and all later ones succeed.
   */
  script?: MemoryScript | undefined;
  /**
   * Runs before each call and its script. It can await to delay the call, or throw a `StorageError` to make it fail.
   */
  before?: ((call: StorageCall) => void | Promise<void>) | undefined;
}

/**
 * Stores everything in memory until the page is closed. For Storybook, tests and demos; fulfills the whole contract.
 *
 * @example
 * const adapter = memoryAdapter({ script: { createSignup: { fail: 'unavailable' } } });
 */
export function memoryAdapter({
  adminEmail = '',
  fields = {},
  share,
  store = memoryStore(),
  now = Date.now,
  script = {},
  before,
  ...unknown
}: MemoryAdapterOptions = {}): StorageAdapter {
  try {
    if (process.env.NODE_ENV !== 'production') refuseUnknown('memoryAdapter', unknown);
  } catch (error) {
    rethrowMistake(error);
  }
  const { signups, sessions, welcomed } = store;
  const play = playScript(script);
  // `act` runs synchronously, so each method is atomic.
  const run = async <T>(call: StorageCall, act: (step: MemorySignupStep) => T): Promise<T> => {
    try {
      await before?.(call);
      return act(await play(call));
    } catch (cause) {
      throw isStorageError(cause) ? cause : new StorageError('unavailable', 'the memory store failed', { cause });
    }
  };
  return {
    createSignup: (input) =>
      run('createSignup', ({ duplicate, pending }): SignupResult => {
        const stored = pending ? 'pending' : 'created';
        const signup = parseSignup(input, fields);
        if (duplicate) return 'duplicate';
        const existing = signups.get(signup.email);
        if (existing) return existing.submission_id === signup.submission_id ? stored : 'duplicate';
        signups.set(signup.email, { ...signup, created_at: now() });
        return stored;
      }),

    inbox: () =>
      run('inbox', () => ({
        successTitle: 'Check your inbox',
        successText: 'Open the link that we sent you, and you are on the list.',
        link: 'Open your inbox',
        url: 'https://mail.google.com/mail/',
      })),

    share: ({ email, submission_id }) =>
      run('share', () => (signups.get(normalizeEmail(email))?.submission_id === submission_id ? share : undefined)),

    count: () => run('count', () => [...signups.keys()].length),

    sendWelcomeEmail: (input) =>
      run('sendWelcomeEmail', () => {
        const email = parseEmail(input);
        if (signups.has(email) && !welcomed.includes(email)) welcomed.push(email);
      }),

    startSession: (input) =>
      run('startSession', () => {
        const start = clampTimes(parseSessionStart(input), now());
        if (!sessions.has(start.id)) sessions.set(start.id, toSessionRecord(start));
      }),

    updateSession: (id, input) =>
      run('updateSession', () => {
        const time = now();
        const { totals, start } = splitTotals(clampTimes(parseSessionUpdate(input), time));
        const key = parseSessionId(id);
        const stored = sessions.get(key) ?? toSessionRecord({ id: key, ...start });
        sessions.set(key, mergeSession(stored, clampDuration(totals, stored.session_start, time)));
      }),

    readSummary: (email) =>
      run('readSummary', () => {
        const given = normalizeEmail(email);
        // An invalid admin email normalizes to '', so an empty address must not match it.
        if (!given || given !== normalizeEmail(adminEmail)) {
          throw new StorageError('forbidden', 'this address may not read the analytics summary');
        }
        return summarize(sessions.values(), signups.size, now());
      }),
  };
}
