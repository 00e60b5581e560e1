import { clampTimes, type StoredSignup, splitTotals } from 'early-access-kit/internal';
import {
  DEFAULT_AUDIT_ENTRIES,
  DEFAULT_MAILS_PER_HOUR,
  DEFAULT_RETENTION_DAYS,
  type Log,
  type Store,
  type StoreOptions,
  silentLog,
  toPageView,
} from 'early-access-server/internal';
import type { Firestore } from 'firebase-admin/firestore';
import { firestoreAdminStore } from './admin.ts';
import { type FirestoreAnalytics, firestoreAnalytics, LIVE_READS, type LiveReads } from './analytics/analytics.ts';
import { firestoreApiKeys } from './api-keys.ts';
import { firestoreAudit } from './audit.ts';
import { firestoreBulk } from './bulk.ts';
import { firestoreCampaigns } from './campaigns/campaigns.ts';
import { withStorageErrors } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { erasePerson } from './erase.ts';
import { firestoreHumanTokens } from './human-tokens.ts';
import { createSignup } from './list/enrolment.ts';
import { isWithdrawable } from './list/imports.ts';
import { firestoreListStatus } from './list/list-status-store.ts';
import { type FirestoreListStore, firestoreList } from './list/list-store.ts';
import { type FirestoreMailQueue, firestoreMailQueue } from './mail/mail-queue.ts';
import { firestorePasskeys } from './passkeys.ts';
import { firestorePeople } from './people/people.ts';
import { firestoreSegments } from './people/segments.ts';
import { pruneSessions, saveSession } from './sessions.ts';
import { firestoreShare } from './share/share-store.ts';
import { readSignups } from './signups.ts';
import { cached, readSummary } from './summary.ts';
import { firestoreTeam } from './team.ts';
import { firestoreWebhooks } from './webhooks/webhooks.ts';

/** Options of `firestoreStore`. Only `firestore` is required. */
export interface FirestoreStoreOptions extends StoreOptions {
  /** A client of `firebase-admin`. The caller closes it. */
  readonly firestore: Firestore;
  readonly log?: Log;
  /** How long a summary is cached in memory, because each one is billed, in milliseconds. Default: one minute. */
  readonly summaryMaxAgeMs?: number;
  /** Limits of the documents outside the archive that the dashboard's figures read. */
  readonly liveReads?: LiveReads;
  /** The adapter's `retentionDays`, shown in the dashboard. Default: 395. */
  readonly retentionDays?: number;
  /** Queues a welcome email for new signups that need no confirmation. Default: true. */
  readonly welcomeEmail?: boolean;
}

/**
 * A store in Firestore, with the documents that the browser's adapter writes. A signup written by a browser has no
 * message until it is claimed by id, which the trigger on new signups does. `ping` only reads. A TTL policy deletes
 * hashes of erased sessions.
 */
export interface FirestoreStore extends Store {
  signups(): AsyncIterable<StoredSignup>;
  readonly mails: FirestoreMailQueue;
  /** Its figures are only complete if something calls `rollUp` every few minutes: Firebase's schedule, or your own. */
  readonly analytics: FirestoreAnalytics;
  readonly list: FirestoreListStore;
}

/** Maximum time that one step of pruning spends on the archive. */
const ROLL_UP_MS = 60_000;

/**
 * A `Store` on Firestore, for `createEarlyAccess` on your own server. The deployed functions create theirs themselves.
 */
export function firestoreStore({
  firestore,
  log = silentLog,
  clock = Date.now,
  mailsPerHour = DEFAULT_MAILS_PER_HOUR,
  leaseMs = 600_000,
  confirm = false,
  welcomeEmail = true,
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
    confirm,
    createSignup: (signup, options) =>
      createSignup(firestore, signup, { confirm, welcomeEmail, ...options, now: clock() }),
    startSession: (session, country = null) =>
      saveSession(firestore, clampTimes(session, clock()), clock(), { country }),
    async updateSession(id, update, country = null) {
      const { start, totals } = splitTotals(clampTimes(update, clock()));
      await saveSession(firestore, { id, ...start }, clock(), { totals, view: toPageView(update), country });
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
      // Pruned sessions must be archived first, because their figures are kept.
      await analytics.rollUp({ withinMs: ROLL_UP_MS });
      if ((await analytics.progress()) < 1) return 0;
      return pruneSessions(firestore, time, limit);
    },
    mails: firestoreMailQueue({ firestore, mailsPerHour, clock, leaseMs, confirm, welcomeEmail }),
    admin: firestoreAdminStore(firestore, clock, audit),
    passkeys: firestorePasskeys(firestore, clock),
    team: firestoreTeam(firestore, clock),
    apiKeys: firestoreApiKeys(firestore, clock, audit),
    analytics,
    people,
    list: firestoreList({ firestore, people, clock, log, confirm, welcomeEmail }),
    listStatus: firestoreListStatus(firestore, clock, welcomeEmail),
    webhooks: firestoreWebhooks(firestore, clock, leaseMs),
    segments: firestoreSegments(firestore),
    bulk: firestoreBulk(firestore),
    campaigns: firestoreCampaigns(firestore, clock),
    humanTokens: firestoreHumanTokens(firestore),
    share: firestoreShare(firestore, { clock, confirm, welcomeEmail }),
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
