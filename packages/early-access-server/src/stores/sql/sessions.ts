import { sha256 } from '../../app/access/secrets.ts';
import { text } from './row.ts';
import { sql, type Transaction } from './statement.ts';

/** Removes sessions and takes them out of all figures. Their signups then count by what is stored with them. */
export type RemoveSessions = (ids: readonly string[]) => Transaction<void>;

/** Erases a session, which later updates do not bring back. Returns whether it was stored. */
export function* eraseSession(id: string, removeSessions: RemoveSessions, now: number): Transaction<boolean> {
  yield* sql`
    INSERT INTO @erased_sessions (id_hash, erased_at) VALUES (${sha256(id)}, ${now})
    ON CONFLICT (id_hash) DO UPDATE SET erased_at = excluded.erased_at
  `;
  const stored = yield* sql`SELECT id FROM @sessions WHERE id = ${id}`;
  if (stored.length === 0) return false;
  yield* removeSessions([id]);
  return true;
}

/** Removes at most `limit` rows each of sessions and hashes of erased sessions from before `time`. Returns how many. */
export function* pruneSessions(time: number, limit: number, removeSessions: RemoveSessions): Transaction<number> {
  const sessions = yield* sql`SELECT id FROM @sessions WHERE session_start < ${time} LIMIT CAST(${limit} AS bigint)`;
  yield* removeSessions(sessions.map((row) => text(row, 'id')));
  const hashes = yield* sql`
    DELETE FROM @erased_sessions WHERE id_hash IN (
      SELECT id_hash FROM @erased_sessions WHERE erased_at < ${time} LIMIT CAST(${limit} AS bigint)
    )
  `;
  return sessions.length + hashes.count;
}
