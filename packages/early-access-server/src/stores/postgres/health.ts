import { StorageError } from 'early-access-kit/core';
import type { StoreFacts } from '../../app/ports/store.ts';
import { integer } from '../sql/row.ts';
import type { SqlDatabase } from '../sql/sql-database.ts';
import { sql } from '../sql/statement.ts';

/** Rejects if the database does not respond or accepts no writes, like a standby server after a failover. */
export async function checkHealth({ query }: SqlDatabase): Promise<void> {
  // On a standby, every transaction is read-only.
  const [row] = await query(sql`SELECT current_setting('transaction_read_only') AS read_only`);
  if (row?.read_only === 'on') {
    throw new StorageError('unavailable', 'the database accepts no writes', { retryAfter: 1 });
  }
}

/** The database server is responsible for backups. */
export async function readFacts({ query }: SqlDatabase): Promise<StoreFacts> {
  const [row] = await query(sql`SELECT pg_database_size(current_database()) AS bytes`);
  return {
    store: 'postgres',
    database_bytes: integer(row, 'bytes'),
    disk_free_bytes: null,
    last_backup_at: null,
    retention_days: null,
  };
}
