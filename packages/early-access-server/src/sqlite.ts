export type { AdminSession, AdminSettings, AdminStore, AuditEntry } from './app/ports/admin-store.ts';
export type { GroupCommitOptions } from './stores/sqlite/group-commit.ts';
export {
  type SqliteStore,
  type SqliteStoreOptions,
  sqliteStore,
} from './stores/sqlite/sqlite-store.ts';
