import { randomUUID } from 'node:crypto';
import { IDEMPOTENCY_MS, type StoredKey } from '../../app/access/api-keys.ts';
import type { ApiKeyStore, ClaimedRequest, RequestClaim } from '../../app/ports/api-key-store.ts';
import { toApiKey } from './admin-rows.ts';
import { addAuditEntry } from './audit.ts';
import { text, textOrNull } from './row.ts';
import type { SqlDatabase } from './sql-database.ts';
import { type Rows, sql, type Transaction } from './statement.ts';
import type { StoreSettings } from './store-options.ts';

export function apiKeyStore({ query, write }: SqlDatabase, { clock, auditEntries }: StoreSettings): ApiKeyStore {
  return {
    async add({ hash, name, scopes }) {
      const key = { id: randomUUID(), name, scopes, created_at: clock(), last_used_at: null };
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
    claimRequest: (claim) => write(() => claimRequest(claim, auditEntries, clock())),
    async finishRequest(hash, response) {
      await write(() =>
        response === null
          ? sql`DELETE FROM @idempotency_keys WHERE hash = ${hash}`
          : sql`UPDATE @idempotency_keys SET response = ${response} WHERE hash = ${hash}`,
      );
    },
    revoke: async (id) => firstKey(await write(() => sql`DELETE FROM @api_keys WHERE id = ${id} RETURNING *`)),
  };
}

/** Claims a key for a request unless another request has claimed it. Stores the newest `limit` per API key. */
function* claimRequest(
  { hash, api_key, request }: RequestClaim,
  limit: number,
  now: number,
): Transaction<ClaimedRequest | null> {
  yield* sql`DELETE FROM @idempotency_keys WHERE created_at <= ${now - IDEMPOTENCY_MS}`;
  const { count } = yield* sql`
    INSERT INTO @idempotency_keys (hash, api_key, request, created_at)
    VALUES (${hash}, ${api_key}, ${request}, ${now}) ON CONFLICT DO NOTHING
  `;
  if (count === 0) {
    const [row] = yield* sql`SELECT request, response FROM @idempotency_keys WHERE hash = ${hash}`;
    // Without a row, another caller has just deleted its claim.
    return row === undefined
      ? { request, response: null }
      : { request: text(row, 'request'), response: textOrNull(row, 'response') };
  }
  yield* sql`
    DELETE FROM @idempotency_keys WHERE api_key = ${api_key} AND created_at <= (
      SELECT created_at FROM @idempotency_keys WHERE api_key = ${api_key}
      ORDER BY created_at DESC LIMIT 1 OFFSET CAST(${limit} AS bigint)
    )
  `;
  return null;
}

function firstKey([row]: Rows): StoredKey | null {
  return row === undefined ? null : toApiKey(row);
}
