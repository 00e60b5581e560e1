import { sha256 } from '../../app/access/secrets.ts';
import { sql, type Transaction } from './statement.ts';

/** Deletes a session and removes it from all figures. After that, its signups count under their own traffic source. */
export type RemoveSession = (id: string) => Transaction<void>;

/** Erases a session so that later updates do not restore it. Returns whether it was stored. */
export function* eraseSession(id: string, removeSession: RemoveSession, now: number): Transaction<boolean> {
  yield* sql`
    INSERT INTO @erased_sessions (id_hash, erased_at) VALUES (${sha256(id)}, ${now})
    ON CONFLICT (id_hash) DO UPDATE SET erased_at = excluded.erased_at
  `;
  const stored = yield* sql`SELECT id FROM @sessions WHERE id = ${id}`;
  if (stored.length === 0) return false;
  yield* removeSession(id);
  return true;
}

/**
 * Deletes sessions and hashes of erased sessions from before `time`, oldest first and at most `limit` rows each. Totals
 * and the sources of signups do not change. Returns the number of rows.
 */
export function* pruneSessions(time: number, limit: number): Transaction<number> {
  yield* sql`UPDATE @totals SET is_pruning = 1`;
  const sessions = yield* sql`
    DELETE FROM @sessions WHERE id IN (
      SELECT id FROM @sessions WHERE session_start < ${time} ORDER BY session_start LIMIT CAST(${limit} AS bigint)
    )
  `;
  yield* sql`UPDATE @totals SET is_pruning = 0`;
  if (sessions.count > 0) {
    yield* sql`UPDATE @totals SET pruned_until = ${time} WHERE pruned_until < ${time}`;
  }
  const hashes = yield* sql`
    DELETE FROM @erased_sessions WHERE id_hash IN (
      SELECT id_hash FROM @erased_sessions WHERE erased_at < ${time} LIMIT CAST(${limit} AS bigint)
    )
  `;
  return sessions.count + hashes.count;
}
