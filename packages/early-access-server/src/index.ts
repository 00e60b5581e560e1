export { DEFAULT_RATE_LIMITS, type RateLimit, type RateLimits } from './app/access/rate-limits.ts';
export type { Clock } from './app/clock.ts';
export { jsonLog, type Log, type LogFields } from './app/log.ts';
export { type Outbox, type OutboxOptions, startOutbox } from './app/mail/outbox.ts';
export { type App, type AppOptions, createApp } from './http/app.ts';
export type { Mailer, RequestStore } from './http/route-tools.ts';
export { loadSite, type Site } from './http/site/site.ts';
export type { GroupCommitOptions } from './stores/sqlite/group-commit.ts';
export { type MailStore, openStore, type Store, type StoreOptions } from './stores/sqlite/store.ts';
