/**
 * For authors of stores: the interfaces that a store implements. Test it with `runStoreContract` from
 * `early-access-server/testing`. The decisions that a store makes inside its transactions are in
 * `early-access-server/internal`, whose exports may change in any version.
 */
export type { AdminStore } from './app/ports/admin-store.ts';
export type { AnalyticsStore } from './app/ports/analytics-store.ts';
export type { ApiKeyStore } from './app/ports/api-key-store.ts';
export type { BulkStore } from './app/ports/bulk-store.ts';
export type { CampaignStore } from './app/ports/campaign-store.ts';
export type { Clock } from './app/ports/clock.ts';
export type { HumanTokenStore } from './app/ports/human-token-store.ts';
export type { ListStatusStore } from './app/ports/list-status-store.ts';
export type { ListStore } from './app/ports/list-store.ts';
export type { Log } from './app/ports/log.ts';
export type { PasskeyStore } from './app/ports/passkey-store.ts';
export type { PeopleStore } from './app/ports/people-store.ts';
export type { RateLimiter } from './app/ports/rate-limiter.ts';
export type { SegmentStore } from './app/ports/segment-store.ts';
export type { ShareStore } from './app/ports/share-store.ts';
export type { MailQueue, Store, StoreOptions } from './app/ports/store.ts';
export type { TeamStore } from './app/ports/team-store.ts';
export type { WebhookStore } from './app/ports/webhook-store.ts';
