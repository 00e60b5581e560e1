import type { SignupResult, StorageAdapter } from '../core/adapter.ts';
import { believableTimes, believableTotals } from '../core/believable-times.ts';
import { normalizeEmail } from '../core/email.ts';
import { isStorageError, StorageError } from '../core/errors.ts';
import { mergeSession, summarize, toSessionRecord } from '../core/metrics.ts';
import type { SessionRecord, StoredSignup } from '../core/records.ts';
import { parseEmail, parseSessionId, parseSessionStart, parseSessionUpdate, parseSignup } from '../core/validation.ts';
import { type MemoryScript, type MemorySignupStep, playScript } from './memory/script.ts';

export type { MemoryScript, MemorySignupStep, MemoryStep, MemorySteps } from './memory/script.ts';

/** What a memory adapter keeps, open to whoever made it. */
export interface MemoryStore {
  /** By normalised address. */
  readonly signups: Map<string, StoredSignup>;
  /** By id. */
  readonly sessions: Map<string, SessionRecord>;
  /** Addresses that were welcomed, in order. */
  readonly welcomed: string[];
}

export function memoryStore(): MemoryStore {
  return { signups: new Map(), sessions: new Map(), welcomed: [] };
}

export interface MemoryAdapterOptions {
  /** Who may read the summary; nobody unless given. It is in the page: for demos and tests, not for secrets. */
  adminEmail?: string | undefined;
  /** Where to keep things; a new store of its own unless given. */
  store?: MemoryStore | undefined;
  /** Epoch milliseconds; the system's clock unless given. */
  now?: (() => number) | undefined;
  /**
   * What the calls do on purpose, for stories, tests and demos: `{ createSignup: [{ offline: true }, {}] }` cannot be reached
   * at the first try and works from the second.
   */
  script?: MemoryScript | undefined;
  /** Runs before each call and before its script: sees it, awaits to delay it, throws a `StorageError` to make it fail. */
  before?: ((call: keyof StorageAdapter) => void | Promise<void>) | undefined;
}

/** Keeps everything in memory and forgets it with the page. For Storybook, tests and demos; keeps the whole contract. */
export function memoryAdapter({
  adminEmail = '',
  store = memoryStore(),
  now = Date.now,
  script = {},
  before,
}: MemoryAdapterOptions = {}): StorageAdapter {
  const { signups, sessions, welcomed } = store;
  const play = playScript(script);
  // Nothing is awaited while `act` runs, so each method is atomic.
  const run = async <T>(call: keyof StorageAdapter, act: (step: MemorySignupStep) => T): Promise<T> => {
    try {
      await before?.(call);
      return act(await play(call));
    } catch (cause) {
      throw isStorageError(cause) ? cause : new StorageError('unavailable', 'the memory store failed', { cause });
    }
  };
  return {
    createSignup: (input) =>
      run('createSignup', ({ duplicate }): SignupResult => {
        const signup = parseSignup(input);
        if (duplicate) return 'duplicate';
        const kept = signups.get(signup.email);
        if (kept) return kept.submission_id === signup.submission_id ? 'created' : 'duplicate';
        signups.set(signup.email, { ...signup, created_at: now() });
        return 'created';
      }),

    sendWelcomeEmail: (input) =>
      run('sendWelcomeEmail', () => {
        const email = parseEmail(input);
        if (signups.has(email) && !welcomed.includes(email)) welcomed.push(email);
      }),

    startSession: (input) =>
      run('startSession', () => {
        const start = believableTimes(parseSessionStart(input), now());
        if (!sessions.has(start.id)) sessions.set(start.id, toSessionRecord(start));
      }),

    updateSession: (id, input) =>
      run('updateSession', () => {
        const time = now();
        const { session_end, page_count, total_duration, max_scroll_depth, click_count, ...start } = believableTimes(
          parseSessionUpdate(input),
          time,
        );
        const totals = { session_end, page_count, total_duration, max_scroll_depth, click_count };
        const key = parseSessionId(id);
        const kept = sessions.get(key) ?? toSessionRecord({ id: key, ...start });
        sessions.set(key, mergeSession(kept, believableTotals(totals, kept.session_start, time)));
      }),

    readSummary: (email) =>
      run('readSummary', () => {
        const given = normalizeEmail(email);
        // Nothing is the normal form of what is no address, so it opens nothing.
        if (!given || given !== normalizeEmail(adminEmail)) {
          throw new StorageError('forbidden', 'this address may not read the numbers');
        }
        return summarize(sessions.values(), signups.size, now());
      }),
  };
}
