import {
  type AnalyticsSummary,
  clampTimes,
  type EmailSignup,
  type SessionStart,
  type SessionUpdate,
  type SignupResult,
  StorageError,
  type StoredSignup,
} from 'early-access-kit/core';
import type { Clock } from '../../app/clock.ts';
import type { Log } from '../../app/log.ts';
import { DEFAULT_MAILS_PER_HOUR } from '../../app/mail/mail-quota.ts';
import type { Settlement } from '../../app/mail/settlement.ts';
import { checkpoints } from './checkpoints.ts';
import { openDatabase } from './database.ts';
import { type Erased, eraser, removeTraces } from './erase.ts';
import { type GroupCommitOptions, groupCommit } from './group-commit.ts';
import { databaseHealth } from './health.ts';
import type { ClaimedMail } from './mail-claim.ts';
import { type MailTable, mailTable, type ResendResult } from './mails.ts';
import { sessionTable } from './sessions.ts';
import { signupTable } from './signups.ts';
import { summaryReader } from './summary.ts';

export interface StoreOptions {
  /** Path of the database file; made where there is none. */
  readonly file: string;
  readonly clock?: Clock;
  /** Delivery attempts per hour; `DEFAULT_MAILS_PER_HOUR` unless given. */
  readonly mailsPerHour?: number;
  readonly log?: Log;
  readonly groupCommit?: Omit<GroupCommitOptions, 'onCommit'>;
}

/**
 * The embedded store. Its data come validated by core's parsers. Every write is answered AFTER it is on the disk and rejects
 * with a `StorageError` only. Several processes may hold a store on the same file.
 */
export interface Store {
  /** Exactly one record per address, whoever races; its welcome email is queued in the same transaction. */
  createSignup(signup: EmailSignup): Promise<SignupResult>;
  startSession(session: SessionStart): Promise<void>;
  updateSession(id: string, update: SessionUpdate): Promise<void>;
  /** Throws a `StorageError` where the database does not answer. */
  readSummary(): AnalyticsSummary;
  /** Throws a `StorageError` where the database does not answer, takes no writes or has turned out to be damaged. */
  ping(): void;
  /** Every sign-up, oldest first, read as it is asked for. */
  signups(): Iterable<StoredSignup>;
  /** Erases a person by the normalised address, and what was left in the files of one who was erased before. */
  erase(email: string): Promise<Erasure>;
  /** Removes at most `limit` visits, and as many visitors, of which nothing is newer than `time`. Answers how many rows. */
  prune(time: number, limit: number): Promise<number>;
  /** Writes a consistent copy to a file that is not there yet, while everything goes on. */
  backup(file: string): void;
  readonly mails: MailStore;
  /** Commits what is waiting and closes the file; nothing where it is closed. */
  close(): void;
}

export interface Erasure {
  /** Null if nothing was stored about the address. */
  readonly erased: Erased | null;
  /** Whether no byte of it is left in the database file and its WAL. False while another program keeps an old state open. */
  readonly traceless: boolean;
}

/** The outbox: see `MailTable`. */
export interface MailStore extends Pick<MailTable, 'nextDue' | 'hasLapsed' | 'counts' | 'unsent'> {
  quotaSpentUntil(): number | null;
  claim(leaseMs: number): Promise<ClaimedMail | null>;
  settle(mail: ClaimedMail, settlement: Settlement): Promise<void>;
  expire(): Promise<number>;
  resend(email: string): Promise<ResendResult>;
  isBeingSent(email: string): boolean;
}

/** Opens the store. Throws an `Error` whose message says what is wrong with the file. */
export function openStore({
  file,
  clock = Date.now,
  mailsPerHour = DEFAULT_MAILS_PER_HOUR,
  log,
  groupCommit: groupCommitOptions,
}: StoreOptions): Store {
  const db = openDatabase(file, log);
  const health = databaseHealth(db);
  const wal = checkpoints(file, db);
  const commit = groupCommit(db, {
    ...groupCommitOptions,
    onCommit(failure, writes) {
      health.note(failure);
      wal.note(writes);
    },
  });
  const signups = signupTable(db);
  const sessions = sessionTable(db);
  const mails = mailTable(db, mailsPerHour);
  const erase = eraser(db, sessions);
  const readSummary = summaryReader(db, signups.count);
  const copy = db.prepare('VACUUM INTO ?');

  return {
    createSignup: (signup) => commit.run(() => signups.insert(signup, clock())),
    startSession(session) {
      const now = clock();
      const start = clampTimes(session, now);
      return commit.run(() => sessions.upsert(start, now));
    },
    updateSession(id, update) {
      const now = clock();
      const { session_end, page_count, total_duration, max_scroll_depth, click_count, ...start } = clampTimes(
        update,
        now,
      );
      const totals = { session_end, page_count, total_duration, max_scroll_depth, click_count };
      return commit.run(() => sessions.upsert({ id, ...start }, now, totals));
    },
    readSummary: () => orUnavailable(() => readSummary(clock())),
    ping: () => orUnavailable(health.check),
    signups: signups.all,
    async erase(email) {
      const erased = await commit.run(() => erase(email, clock()));
      const traces = typeof erased?.sessionId === 'string' ? [email, erased.sessionId] : [email];
      return { erased, traceless: await removeTraces(db, file, traces) };
    },
    prune: (time, limit) => commit.run(() => sessions.prune(time, limit)),
    backup: (target) => void copy.run(target),
    mails: {
      nextDue: mails.nextDue,
      hasLapsed: mails.hasLapsed,
      counts: mails.counts,
      unsent: mails.unsent,
      quotaSpentUntil: () => mails.quotaSpentUntil(clock()),
      claim: (leaseMs) => commit.run(() => mails.claim(clock(), leaseMs)),
      settle: (mail, settlement) => commit.run(() => mails.settle(mail, settlement, clock())),
      expire: () => commit.run(() => mails.expire(clock())),
      resend: (email) => commit.run(() => mails.resend(email, clock())),
      isBeingSent: (email) => mails.isBeingSent(email, clock()),
    },
    close() {
      if (!db.isOpen) return;
      commit.flush();
      wal.close();
      db.close();
    },
  };

  function orUnavailable<T>(read: () => T): T {
    try {
      return read();
    } catch (cause) {
      health.note(cause);
      throw new StorageError('unavailable', 'the database does not answer', { cause, retryAfter: 1 });
    }
  }
}
