import { randomUUID } from 'node:crypto';
import type { ApiKey } from '../../app/access/api-keys.ts';
import type { ApiKeyStore } from '../../app/ports/api-key-store.ts';
import { toApiKey } from './admin-rows.ts';
import { addAuditEntry } from './audit.ts';
import type { SqlDatabase } from './sql-database.ts';
import { type Rows, sql } from './statement.ts';
import type { StoreSettings } from './store-options.ts';

export function apiKeyStore({ query, write }: SqlDatabase, { clock, auditEntries }: StoreSettings): ApiKeyStore {
  return {
    async add({ hash, name, scopes }) {
      const key: ApiKey = { id: randomUUID(), name, scopes, created_at: clock(), last_used_at: null };
      await write(
        () => sql`
          INSERT INTO @api_keys (id, hash, name, scopes, created_at)
          VALUES (${key.id}, ${hash}, ${name}, ${JSON.stringify(scopes)}, ${key.created_at})
        `,
      );
      return key;
    },
    list: async () => (await query(sql`SELECT * FROM @api_keys ORDER BY created_at DESC, id`)).map(toApiKey),
    find: async (hash) => firstKey(await query(sql`SELECT * FROM @api_keys WHERE hash = ${hash}`)),
    recordUse: (hash, { action, route }) =>
      write(function* () {
        const key = firstKey(
          yield* sql`UPDATE @api_keys SET last_used_at = ${clock()} WHERE hash = ${hash} RETURNING *`,
        );
        if (key === null) return false;
        const entry = { session: key.id, action, count: 1, api_key: key.name, route };
        yield* addAuditEntry(entry, auditEntries, clock());
        return true;
      }),
    revoke: async (id) => firstKey(await write(() => sql`DELETE FROM @api_keys WHERE id = ${id} RETURNING *`)),
  };
}

function firstKey([row]: Rows): ApiKey | null {
  return row === undefined ? null : toApiKey(row);
}
