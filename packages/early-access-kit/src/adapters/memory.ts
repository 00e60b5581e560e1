import type { SignupResult, StorageAdapter } from '../core/adapter.ts';
import { believableTimes } from '../core/believable-times.ts';
import { normalizeEmail } from '../core/email.ts';
import { StorageError } from '../core/errors.ts';
import { mergeSession, summarize, toSessionRecord } from '../core/metrics.ts';
import type { SessionRecord, StoredSignup } from '../core/records.ts';
import { parseEmail, parseSessionId, parseSessionStart, parseSessionUpdate, parseSignup } from '../core/validation.ts';
import { type MemoryScript, playScript } from './memory/script.ts';

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
  adminEmail,
  store = memoryStore(),
  now = Date.now,
  script = {},
  before,
}: MemoryAdapterOptions = {}): StorageAdapter {
  const { signups, sessions, welcomed } = store;
  const play = playScript(script);
  const begin = async (call: keyof StorageAdapter) => {
    await before?.(call);
    return play(call);
  };
  // Within a method nothing is awaited after `begin`, so that each one is atomic.
  return {
    async createSignup(input): Promise<SignupResult> {
      const { duplicate } = await begin('createSignup');
      const signup = parseSignup(input);
      if (duplicate) return 'duplicate';
      const kept = signups.get(signup.email);
      if (kept) return kept.submission_id === signup.submission_id ? 'created' : 'duplicate';
      signups.set(signup.email, { ...signup, created_at: now() });
      return 'created';
    },

    async sendWelcomeEmail(input) {
      await begin('sendWelcomeEmail');
      const email = parseEmail(input);
      if (signups.has(email) && !welcomed.includes(email)) welcomed.push(email);
    },

    async startSession(input) {
      await begin('startSession');
      const start = believableTimes(parseSessionStart(input), now());
      if (!sessions.has(start.id)) sessions.set(start.id, toSessionRecord(start));
    },

    async updateSession(id, input) {
      await begin('updateSession');
      const { session_end, page_count, total_duration, max_scroll_depth, click_count, ...start } = believableTimes(
        parseSessionUpdate(input),
        now(),
      );
      const totals = { session_end, page_count, total_duration, max_scroll_depth, click_count };
      const key = parseSessionId(id);
      sessions.set(key, mergeSession(sessions.get(key) ?? toSessionRecord({ id: key, ...start }), totals));
    },

    async readSummary(email) {
      await begin('readSummary');
      if (adminEmail === undefined || normalizeEmail(email) !== normalizeEmail(adminEmail)) {
        throw new StorageError('forbidden', 'this address may not read the numbers');
      }
      return summarize(sessions.values(), signups.size, now());
    },
  };
}
