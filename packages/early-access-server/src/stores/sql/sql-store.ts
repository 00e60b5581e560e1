import { clampTimes, type SessionStart, type SessionTotals, splitTotals } from 'early-access-kit/core';
import { type PageView, toPageView } from '../../app/analytics/page-views.ts';
import type { Claim, Store } from '../../app/ports/store.ts';
import { adminStore } from './admin.ts';
import { analyticsStore } from './analytics.ts';
import { apiKeyStore } from './api-keys.ts';
import { bulkStore } from './bulk.ts';
import { campaignStore } from './campaigns.ts';
import { erasePerson } from './erase.ts';
import { humanTokenStore } from './human-tokens.ts';
import { type AddSignups, listStore } from './list.ts';
import { listStatusStore, type SignUpRequests } from './list-status.ts';
import { mailQueue } from './mail-queue.ts';
import { passkeyStore } from './passkeys.ts';
import { type PeopleSearch, peopleStore } from './people.ts';
import { segmentStore } from './segments.ts';
import { pruneSessions, type RemoveSession } from './sessions.ts';
import { shareStore } from './share.ts';
import type { SqlDatabase } from './sql-database.ts';
import type { StoreSettings } from './store-options.ts';
import { readSummary } from './summary.ts';
import { teamStore } from './team.ts';
import { webhookStore } from './webhooks.ts';

/** The start or an update of a session. The data is valid and its times are clamped to `now`. */
export interface SessionWrite {
  readonly start: SessionStart;
  readonly totals: SessionTotals | undefined;
  readonly view?: PageView | undefined;
  /** The country of the request. Only used if this write creates the session. */
  readonly country?: string | null;
  readonly now: number;
}

/** The parts of a store that each database implements itself: hot paths, and everything that depends on its indexes. */
export interface SqlDriver {
  readonly search: PeopleSearch;
  readonly addSignups: AddSignups;
  readonly signUpRequests: SignUpRequests;
  readonly removeSession: RemoveSession;
  /** Stores a session, or merges totals into the stored one. Ignores an erased session. */
  saveSession(write: SessionWrite): Promise<unknown>;
  /** Claims the message that has been due longest, see `DueMessages.claimNext`. */
  claimMessage(now: number): Promise<Claim>;
}

/** The parts of a store that are the same for every database. */
export function sqlStore(
  database: SqlDatabase,
  settings: StoreSettings,
  { search, addSignups, signUpRequests, removeSession, saveSession, claimMessage }: SqlDriver,
): Omit<Store, 'createSignup' | 'signups' | 'ping' | 'facts' | 'close'> {
  const { clock, confirm } = settings;
  return {
    confirm,
    async startSession(session, country = null) {
      const now = clock();
      await saveSession({ start: clampTimes(session, now), totals: undefined, country, now });
    },
    async updateSession(id, update, country = null) {
      const now = clock();
      const { start, totals } = splitTotals(clampTimes(update, now));
      await saveSession({ start: { id, ...start }, totals, view: toPageView(update), country, now });
    },
    readSummary: () => database.read(() => readSummary(clock())),
    erase: async (email, ofImport) => ({
      erased: await database.write(() => erasePerson(email, { removeSession, now: clock(), ofImport })),
      traceless: true,
    }),
    prune: (time, limit) => database.write(() => pruneSessions(time, limit)),
    mails: mailQueue(database, settings, () => claimMessage(clock())),
    admin: adminStore(database, settings),
    passkeys: passkeyStore(database, clock),
    team: teamStore(database, clock),
    apiKeys: apiKeyStore(database, settings),
    webhooks: webhookStore(database, settings),
    humanTokens: humanTokenStore(database, clock),
    people: peopleStore(database, search),
    segments: segmentStore(database),
    bulk: bulkStore(database),
    campaigns: campaignStore(database, clock),
    list: listStore(database, { clock, search, addSignups }),
    listStatus: listStatusStore(database, clock, signUpRequests),
    analytics: analyticsStore(database, clock),
    share: shareStore(database),
  };
}
