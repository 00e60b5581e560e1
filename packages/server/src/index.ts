export type { Budget, Clock, Log, LogFields } from '@early-access-kit/backend';
export { type App, type AppOptions, createApp } from './app.ts';
export { type Budgets, DEFAULT_BUDGETS } from './http/budgets.ts';
export type { Mailer, RequestStore } from './http/route-tools.ts';
export { jsonLog } from './log.ts';
export { type Outbox, type OutboxOptions, startOutbox } from './outbox/outbox.ts';
export { loadSite, type Site } from './site/site.ts';
export type { GroupCommitOptions } from './store/group-commit.ts';
export { type MailStore, openStore, type Store, type StoreOptions } from './store/store.ts';
