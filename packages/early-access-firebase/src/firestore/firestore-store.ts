import { clampTimes, type StoredSignup, splitTotals } from 'early-access-kit/core';
import {
  DEFAULT_AUDIT_ENTRIES,
  DEFAULT_MAILS_PER_HOUR,
  DEFAULT_RETENTION_DAYS,
  type Log,
  type Store,
  type StoreOptions,
  silentLog,
} from 'early-access-server/stores';
import type { Firestore } from 'firebase-admin/firestore';
import { firestoreAdminStore } from './admin.ts';
import { type FirestoreAnalytics, firestoreAnalytics, LIVE_READS, type LiveReads } from './analytics/analytics.ts';
import { firestoreApiKeys } from './api-keys.ts';
import { firestoreAudit } from './audit.ts';
import { firestoreCampaigns } from './campaigns/campaigns.ts';
import { withStorageErrors } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { erasePerson } from './erase.ts';
import { firestoreHumanTokens } from './human-tokens.ts';
import { createSignup } from './list/enrolment.ts';
import { isWithdrawable } from './list/imports.ts';
import { type FirestoreListStore, firestoreList } from './list/list-store.ts';
import { type FirestoreMailQueue, firestoreMailQueue } from './mail/mail-queue.ts';
import { firestorePeople } from './people/people.ts';
import { pruneSessions, saveSession } from './sessions.ts';
import { readSignups } from './signups.ts';
import { cached, readSummary } from './summary.ts';
import { firestoreWebhooks } from './webhooks/webhooks.ts';

export interface FirestoreStoreOptions extends StoreOptions {
  /** A client of `firebase-admin`. The caller closes it. */
  readonly firestore: Firestore;
  readonly log?: Log;
  /** How long a summary is returned from memory, because each one is billed. A minute. */
  readonly summaryMaxAgeMs?: number;
  /** How many documents the dashboard's figures may read apart from the archive. */
  readonly liveReads?: LiveReads;
  /** The adapter's `retentionDays`, for the dashboard. 395 by default. */
  readonly retentionDays?: number;
}

/**
 * A store in Firestore, in the documents that the browser's adapter writes. A signup that a browser writes has no message until it is
 * claimed by its id, which the trigger on new signups does. `ping` reads only. Hashes of erased sessions are pruned by a TTL policy.
 */
export interface FirestoreStore extends Store {
  signups(): AsyncIterable<StoredSignup>;
  readonly mails: FirestoreMailQueue;
  /** Its figures are complete only if something calls `rollUp` every few minutes: the schedule on Firebase, or your own. */
  readonly analytics: FirestoreAnalytics;
  readonly list: FirestoreListStore;
}

/** How long one step of pruning brings the archive up to date. */
const ROLL_UP_MS = 60_000;

export function firestoreStore({
  firestore,
  log = silentLog,
  clock = Date.now,
  mailsPerHour = DEFAULT_MAILS_PER_HOUR,
  leaseMs = 600_000,
  confirm = false,
  summaryMaxAgeMs = 60_000,
  auditEntries = DEFAULT_AUDIT_ENTRIES,
  liveReads = LIVE_READS,
  retentionDays = DEFAULT_RETENTION_DAYS,
}: FirestoreStoreOptions): FirestoreStore {
  const summary = cached(() => readSummary(firestore, clock()), summaryMaxAgeMs, clock);
  const people = firestorePeople(firestore, { log });
  const audit = firestoreAudit(firestore, clock, auditEntries);
  const analytics = firestoreAnalytics(firestore, clock, liveReads, log);
  return withStorageErrors({
    createSignup: (signup, options) => createSignup(firestore, signup, { confirm, ...options, now: clock() }),
    startSession: (session) => saveSession(firestore, clampTimes(session, clock()), clock()),
    async updateSession(id, update) {
      const { start, totals } = splitTotals(clampTimes(update, clock()));
      await saveSession(firestore, { id, ...start }, clock(), totals);
    },
    readSummary: summary,
    ping: async () => void (await firestore.collection(COLLECTIONS.signups).doc('ping').get()),
    signups: () => readSignups(firestore),
    async erase(email, ofImport) {
      const only: Parameters<typeof erasePerson>[4] =
        ofImport === undefined ? null : (person, messages) => isWithdrawable(person, messages, ofImport);
      return { erased: await erasePerson(firestore, email, clock(), log, only), traceless: true };
    },
    async prune(time, limit) {
      // The figures of what is deleted stay in the archive, so it has to know them first.
      await analytics.rollUp({ withinMs: ROLL_UP_MS });
      if ((await analytics.progress()) < 1) return 0;
      return pruneSessions(firestore, time, limit);
    },
    mails: firestoreMailQueue({ firestore, mailsPerHour, clock, leaseMs, confirm }),
    admin: firestoreAdminStore(firestore, clock, audit),
    apiKeys: firestoreApiKeys(firestore, clock, audit),
    analytics,
    people,
    list: firestoreList({ firestore, people, clock, log, confirm }),
    webhooks: firestoreWebhooks(firestore, clock, leaseMs),
    // Firestore has no query for most conditions.
    segments: null,
    campaigns: firestoreCampaigns(firestore, clock),
    humanTokens: firestoreHumanTokens(firestore),
    share: null,
    facts: async () => ({
      store: 'firestore',
      database_bytes: null,
      disk_free_bytes: null,
      last_backup_at: null,
      retention_days: retentionDays,
    }),
    close() {},
  });
}
