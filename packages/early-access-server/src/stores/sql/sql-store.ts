import { clampTimes, type SessionStart, type SessionTotals, splitTotals } from 'early-access-kit/core';
import { type PageView, toPageView } from '../../app/analytics/page-views.ts';
import type { Claim, Store } from '../../app/ports/store.ts';
import { adminStore } from './admin.ts';
import { analyticsStore } from './analytics.ts';
import { apiKeyStore } from './api-keys.ts';
import { campaignStore } from './campaigns.ts';
import { erasePerson } from './erase.ts';
import { humanTokenStore } from './human-tokens.ts';
import { type AddSignups, listStore } from './list.ts';
import { mailQueue } from './mail-queue.ts';
import { type PeopleSearch, peopleStore } from './people.ts';
import { segmentStore } from './segments.ts';
import { pruneSessions, type RemoveSession } from './sessions.ts';
import { shareStore } from './share.ts';
import type { SqlDatabase } from './sql-database.ts';
import type { StoreSettings } from './store-options.ts';
import { readSummary } from './summary.ts';
import { webhookStore } from './webhooks.ts';

/** A start of a session, or an update of one. The data is valid and its times are clamped at `now`. */
export interface SessionWrite {
  readonly start: SessionStart;
  readonly totals: SessionTotals | undefined;
  readonly view?: PageView | undefined;
  readonly now: number;
}

/** The parts of a store that each database has its own statements for: the hot paths, and what depends on its indexes. */
export interface SqlDriver {
  readonly search: PeopleSearch;
  readonly addSignups: AddSignups;
  readonly removeSession: RemoveSession;
  /** Stores a session, or merges totals into the stored one; ignores an erased one. */
  saveSession(write: SessionWrite): Promise<unknown>;
  /** Claims the message that has been due longest, see `DueMessages.claimNext`. */
  claimMessage(now: number): Promise<Claim>;
}

/** The parts of a store that are the same in every database. */
export function sqlStore(
  database: SqlDatabase,
  settings: StoreSettings,
  { search, addSignups, removeSession, saveSession, claimMessage }: SqlDriver,
): Omit<Store, 'createSignup' | 'signups' | 'ping' | 'facts' | 'close'> {
  const { clock } = settings;
  return {
    async startSession(session) {
      const now = clock();
      await saveSession({ start: clampTimes(session, now), totals: undefined, now });
    },
    async updateSession(id, update) {
      const now = clock();
      const { start, totals } = splitTotals(clampTimes(update, now));
      await saveSession({ start: { id, ...start }, totals, view: toPageView(update), now });
    },
    readSummary: () => database.read(() => readSummary(clock())),
    erase: async (email, ofImport) => ({
      erased: await database.write(() => erasePerson(email, { removeSession, now: clock(), ofImport })),
      traceless: true,
    }),
    prune: (time, limit) => database.write(() => pruneSessions(time, limit)),
    mails: mailQueue(database, settings, () => claimMessage(clock())),
    admin: adminStore(database, settings),
    apiKeys: apiKeyStore(database, settings),
    webhooks: webhookStore(database, settings),
    humanTokens: humanTokenStore(database, clock),
    people: peopleStore(database, search),
    segments: segmentStore(database),
    campaigns: campaignStore(database, clock),
    list: listStore(database, { clock, search, addSignups }),
    analytics: analyticsStore(database, clock),
    share: shareStore(database),
  };
}
