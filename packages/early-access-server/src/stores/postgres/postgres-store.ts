import { clampTimes, splitTotals } from 'early-access-kit/core';
import type { Clock } from '../../app/clock.ts';
import type { Store } from '../store.ts';
import { openDatabase } from './database.ts';
import { erasePerson } from './erase.ts';
import { pruneSessions, saveSessions } from './sessions.ts';
import { readSignups, signUp } from './signups.ts';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database`. It may hold a password: never print it. */
  readonly url: string;
  readonly clock?: Clock;
  /** Whether a new signup queues its welcome email. If false, only `mails.resend` queues one. True by default. */
  readonly welcomeEmail?: boolean;
  /** Whether new signups have to be confirmed: a confirmation is queued instead of the welcome email. False by default. */
  readonly confirm?: boolean;
  /** How many connections a process opens at most. 5. */
  readonly connections?: number;
}

/**
 * A store in a Postgres database, in the schema `early_access`. Any number of processes may use it. Connects when it is first used, and brings
 * the schema up to date.
 */
export function postgresStore({
  url,
  clock = Date.now,
  welcomeEmail = true,
  confirm = false,
  connections,
}: PostgresStoreOptions): Pick<
  Store,
  'createSignup' | 'startSession' | 'updateSession' | 'signups' | 'erase' | 'prune' | 'close'
> {
  const database = openDatabase(url, connections);
  const createSignup = database.batch(signUp(confirm ? 'confirmation' : welcomeEmail ? 'welcome' : null));
  const saveSession = database.batch(saveSessions);
  return {
    createSignup: (signup) => createSignup({ signup, now: clock() }),
    async startSession(session) {
      const now = clock();
      await saveSession({ start: clampTimes(session, now), totals: undefined, now });
    },
    async updateSession(id, update) {
      const now = clock();
      const { start, totals } = splitTotals(clampTimes(update, now));
      await saveSession({ start: { id, ...start }, totals, now });
    },
    signups: () => readSignups(database),
    erase: async (email) => ({
      erased: await database.write((tx) => erasePerson(tx, email, clock())),
      traceless: true,
    }),
    prune: (time, limit) => database.write((tx) => pruneSessions(tx, time, limit)),
    close: () => database.close(),
  };
}
