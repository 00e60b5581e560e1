export { type PostgresStoreOptions, postgresStore } from './stores/postgres/postgres-store.ts';
