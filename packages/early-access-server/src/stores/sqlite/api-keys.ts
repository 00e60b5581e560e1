import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { ApiKey, ApiKeyStore } from '../../app/access/api-keys.ts';
import type { Clock } from '../../app/ports.ts';
import { toApiKey } from '../sql/admin-rows.ts';
import type { AuditTable } from './audit.ts';
import type { GroupCommit } from './group-commit.ts';

export interface SqliteApiKeyStore extends ApiKeyStore {
  list(): readonly ApiKey[];
  find(hash: string): ApiKey | null;
}

export function apiKeyTable(db: DatabaseSync, commit: GroupCommit, clock: Clock, audit: AuditTable): SqliteApiKeyStore {
  const insert = db.prepare(
    'INSERT INTO api_keys (id, hash, name, scopes, created_at, last_used_at) VALUES (?, ?, ?, ?, ?, null)',
  );
  const all = db.prepare('SELECT * FROM api_keys ORDER BY created_at DESC, id');
  const byHash = db.prepare('SELECT * FROM api_keys WHERE hash = ?');
  const use = db.prepare('UPDATE api_keys SET last_used_at = ? WHERE hash = ? RETURNING *');
  const remove = db.prepare('DELETE FROM api_keys WHERE id = ? RETURNING *');
  return {
    add: ({ hash, name, scopes }) =>
      commit.run(() => {
        const key: ApiKey = { id: randomUUID(), name, scopes, created_at: clock(), last_used_at: null };
        insert.run(key.id, hash, name, JSON.stringify(scopes), key.created_at);
        return key;
      }),
    list: () => all.all().map(toApiKey),
    find(hash) {
      const row = byHash.get(hash);
      return row === undefined ? null : toApiKey(row);
    },
    recordUse: (hash, { action, route }) =>
      commit.run(() => {
        const row = use.get(clock(), hash);
        if (row === undefined) return false;
        const { id, name } = toApiKey(row);
        audit.add({ session: id, action, count: 1, api_key: name, route });
        return true;
      }),
    revoke: (id) =>
      commit.run(() => {
        const row = remove.get(id);
        return row === undefined ? null : toApiKey(row);
      }),
  };
}
