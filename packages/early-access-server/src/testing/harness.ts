import type { SessionRecord, StoredSignup } from 'early-access-kit/core';
import { onTestFinished } from 'vitest';
import type { Awaitable } from '../app/awaitable.ts';
import type { MailState } from '../app/mail/message.ts';
import type { Store } from '../stores/store.ts';

/** A store to check. */
export interface StoreContract<Kind extends Store = Store> {
  /** Shown in the test titles. */
  readonly name: string;
  /** Creates an empty database. `now` is its clock, in epoch milliseconds. */
  createDatabase(now: () => number): Awaitable<DatabaseUnderTest<Kind>>;
}

export interface DatabaseUnderTest<Kind extends Store = Store> {
  /** Opens a store on the database. Called more than once, as by several processes. Summaries must not come from a cache. */
  open(options: OpenOptions): Kind;
  /** Reads the database directly, so that a store is not checked against itself. */
  readonly readBack: ReadBack;
  close(): Awaitable<void>;
}

export interface OpenOptions {
  readonly clock: () => number;
  readonly mailsPerHour: number;
  readonly leaseMs: number;
  readonly auditEntries: number;
}

export interface ReadBack {
  signups(): Awaitable<readonly StoredSignup[]>;
  sessions(): Awaitable<readonly SessionRecord[]>;
  messages(): Awaitable<readonly StoredMessage[]>;
}

/** A stored message. `email` is null if its signup is not stored. */
export interface StoredMessage {
  readonly email: string | null;
  readonly state: MailState;
  readonly attempts: number;
  readonly messageKey: string;
}

/** A new database and a store on it, for one test. */
interface Harness<Kind extends Store> extends ReadBack {
  readonly store: Kind;
  readonly clock: { now: number };
  /** Another process on the same database. */
  open(): Kind;
}

export type SetUp<Kind extends Store = Store> = (options?: {
  readonly mailsPerHour?: number;
}) => Promise<Harness<Kind>>;

/** Ten minutes past an hour. */
export const NOW = Date.UTC(2026, 2, 1, 14, 10);
export const LEASE_MS = 60_000;
export const AUDIT_ENTRIES = 40;

/** Returns a function that sets up each test. Everything is closed when the test has finished. */
export function setUpWith<Kind extends Store>({ createDatabase }: StoreContract<Kind>): SetUp<Kind> {
  return async ({ mailsPerHour = 200 } = {}) => {
    const clock = { now: NOW };
    const database = await createDatabase(() => clock.now);
    const stores: Kind[] = [];
    onTestFinished(async () => {
      for (const store of stores) await store.close();
      await database.close();
    });
    const open = () => {
      const store = database.open({
        clock: () => clock.now,
        mailsPerHour,
        leaseMs: LEASE_MS,
        auditEntries: AUDIT_ENTRIES,
      });
      stores.push(store);
      return store;
    };
    return { ...database.readBack, store: open(), clock, open };
  };
}
