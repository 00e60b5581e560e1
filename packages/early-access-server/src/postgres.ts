export type { PostgresPool } from './stores/postgres/connection.ts';
export { type PostgresStoreOptions, postgresStore } from './stores/postgres/postgres-store.ts';
