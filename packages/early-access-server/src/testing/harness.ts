import type { StoredSignup } from 'early-access-kit/internal';
import { afterAll, onTestFinished } from 'vitest';
import { hashToken } from '../app/access/secrets.ts';
import type { StoredSession } from '../app/analytics/country.ts';
import type { PersonState } from '../app/lifecycle/states.ts';
import type { MailState, MessageOutcome } from '../app/mail/message-state.ts';
import type { Notice } from '../app/mail/notice.ts';
import { EVERYONE } from '../app/people/people.ts';
import type { Awaitable } from '../app/ports/log.ts';
import type { ClaimedMessage, DueMessages, Store } from '../app/ports/store.ts';

/** A store to test. */
export interface StoreContract {
  /** Shown in test titles. */
  readonly name: string;
  /**
   * Runs tests concurrently, which requires `createDatabase` to create a new database each time. Faster if races make
   * the database wait.
   */
  readonly concurrent?: boolean;
  /** How many random histories of each kind the suite runs. Default: 6. */
  readonly histories?: number;
  /** Creates an empty database. `now` is its clock, in epoch milliseconds. */
  createDatabase(now: () => number): Awaitable<DatabaseUnderTest>;
}

/** The empty database of one test. */
export interface DatabaseUnderTest {
  /** Opens a store on the database. Called several times, like several processes. Summaries must not be cached. */
  open(options: OpenOptions): Store;
  /** Reads the database directly, so that a store is not checked against itself. */
  readonly readBack: ReadBack;
  close(): Awaitable<void>;
}

/** The options with which the contract opens a store. */
export interface OpenOptions {
  readonly clock: () => number;
  readonly mailsPerHour: number;
  readonly leaseMs: number;
  readonly auditEntries: number;
  /** Whether new signups have to be confirmed. */
  readonly confirm: boolean;
}

/** Reads the database directly, bypassing the store. */
export interface ReadBack {
  signups(): Awaitable<readonly StoredSignup[]>;
  sessions(): Awaitable<readonly StoredSession[]>;
  messages(): Awaitable<readonly StoredMessage[]>;
}

/** A stored message. `email` is null if its signup is not stored. */
export interface StoredMessage {
  readonly email: string | null;
  readonly state: MailState;
  readonly attempts: number;
  readonly messageKey: string;
}

/** A new database with a store, for one test. */
interface Harness extends ReadBack {
  readonly store: Store;
  readonly clock: { now: number };
  /** Opens another store on the same database, like another process. */
  open(): Store;
}

export type SetUp = (options?: { readonly mailsPerHour?: number; readonly confirm?: boolean }) => Promise<Harness>;

/** Ten minutes past the hour. */
export const NOW = Date.UTC(2026, 2, 1, 14, 10);
export const LEASE_MS = 60_000;
export const AUDIT_ENTRIES = 40;

/**
 * Returns a function that sets up each test. Everything is closed when the test has finished, or when all concurrent
 * tests have.
 */
export function createSetUp({ createDatabase, concurrent = false }: StoreContract): SetUp {
  const closers: (() => Promise<void>)[] = [];
  // Vitest does not know which of the concurrent tests calls `onTestFinished`.
  const onEnd = concurrent ? (close: () => Promise<void>) => void closers.push(close) : onTestFinished;
  if (concurrent) {
    afterAll(async () => {
      await Promise.all(closers.map((close) => close()));
    });
  }
  return async ({ mailsPerHour = 200, confirm = false } = {}) => {
    const clock = { now: NOW };
    const database = await createDatabase(() => clock.now);
    const stores: Store[] = [];
    onEnd(async () => {
      for (const store of stores) await store.close();
      await database.close();
    });
    const open = () => {
      const store = database.open({
        clock: () => clock.now,
        mailsPerHour,
        leaseMs: LEASE_MS,
        auditEntries: AUDIT_ENTRIES,
        confirm,
      });
      stores.push(store);
      return store;
    };
    return { ...database.readBack, store: open(), clock, open };
  };
}

/**
 * Claims the message that has been due longest, skipping messages that wait for their mailbox. Null if none is due.
 * Successive calls share a cursor, like a worker's.
 */
export async function claim(
  { mails }: Pick<Store, 'mails'>,
  due: DueMessages = mails.due(),
): Promise<ClaimedMessage | null> {
  for (;;) {
    const message = await due.claimNext();
    if (typeof message !== 'string') return message;
    if (message === 'nothing' || message === 'quota-spent' || message === 'paused') return null;
  }
}

let notices = 0;

/** Queues this notice to each of these admins, in the transaction of a weekly email. */
export async function queueNotice({ admin }: Pick<Store, 'admin'>, recipients: readonly string[], notice: Notice) {
  notices += 1;
  for (const recipient of recipients) await admin.queueWeeklyEmail(recipient, notices, notice);
}

export async function claimed(store: Pick<Store, 'mails'>): Promise<ClaimedMessage> {
  const message = await claim(store);
  if (message === null) throw new Error('nothing is due');
  return message;
}

/** Claims the message that is due and records what came of it. */
export async function deliver(
  store: Pick<Store, 'mails'>,
  outcome: MessageOutcome = { state: 'sent' },
): Promise<ClaimedMessage> {
  const message = await claimed(store);
  await store.mails.recordOutcome(message, outcome);
  return message;
}

/** Records that every message that is due was sent, each after `act`. */
export async function deliverAll(
  store: Pick<Store, 'mails'>,
  act?: (message: ClaimedMessage) => unknown,
): Promise<ClaimedMessage[]> {
  const messages: ClaimedMessage[] = [];
  for (let message = await claim(store); message !== null; message = await claim(store)) {
    await act?.(message);
    await store.mails.recordOutcome(message, { state: 'sent' });
    messages.push(message);
  }
  return messages;
}

export const linkHash = ({ tokens }: Pick<ClaimedMessage, 'tokens'>) => hashToken(tokens.link ?? '');
export const unsubscribeHash = ({ tokens }: ClaimedMessage) => hashToken(tokens.unsubscribe ?? '');

export function everyone({ people }: Pick<Store, 'people'>) {
  return Array.fromAsync(people.all(EVERYONE));
}

export async function readStates(store: Pick<Store, 'people'>): Promise<Readonly<Record<string, PersonState>>> {
  return Object.fromEntries((await everyone(store)).map(({ email, state }) => [email, state]));
}

export async function findId({ people }: Pick<Store, 'people'>, email: string): Promise<string> {
  return (await people.listed([email])).get(email)?.id ?? '';
}
