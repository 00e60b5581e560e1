import { randomUUID } from 'node:crypto';
import type { ApiKey, ApiKeyStore } from '../../app/access/api-keys.ts';
import type { Clock } from '../../app/ports.ts';
import { toApiKey } from '../sql/admin-rows.ts';
import type { AuditTable } from './audit.ts';
import type { Database } from './database.ts';

export function apiKeyTable(database: Database, clock: Clock, audit: AuditTable): ApiKeyStore {
  return {
    add: ({ hash, name, scopes }) =>
      database.write(async (tx) => {
        const key: ApiKey = { id: randomUUID(), name, scopes, created_at: clock(), last_used_at: null };
        await tx`
          INSERT INTO early_access.api_keys (id, hash, name, scopes, created_at)
          VALUES (${key.id}, ${hash}, ${name}, ${JSON.stringify(scopes)}, ${key.created_at})
        `;
        return key;
      }),
    list: () =>
      database.read(async (sql) => {
        const rows = await sql`SELECT * FROM early_access.api_keys ORDER BY created_at DESC, id`;
        return rows.map(toApiKey);
      }),
    find: (hash) =>
      database.read(async (sql) => {
        const [row] = await sql`SELECT * FROM early_access.api_keys WHERE hash = ${hash}`;
        return row === undefined ? null : toApiKey(row);
      }),
    recordUse: (hash, { action, route }) =>
      database.write(async (tx) => {
        const [row] = await tx`
          UPDATE early_access.api_keys SET last_used_at = ${clock()} WHERE hash = ${hash} RETURNING *
        `;
        if (row === undefined) return false;
        const { id, name } = toApiKey(row);
        await audit.add(tx, { session: id, action, count: 1, api_key: name, route });
        return true;
      }),
    revoke: (id) =>
      database.write(async (tx) => {
        const [row] = await tx`DELETE FROM early_access.api_keys WHERE id = ${id} RETURNING *`;
        return row === undefined ? null : toApiKey(row);
      }),
  };
}
