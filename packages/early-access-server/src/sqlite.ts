export type { GroupCommitOptions } from './stores/sqlite/group-commit.ts';
export {
  type SqliteStore,
  type SqliteStoreOptions,
  sqliteStore,
} from './stores/sqlite/sqlite-store.ts';
