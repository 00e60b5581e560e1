import { sql, type Transaction } from './statement.ts';

/**
 * Deletes at most `limit` rows each of sessions and hashes of erased sessions from before `time`, the oldest sessions first. The sums and
 * the sources of signups do not change. Returns how many rows.
 */
export function* pruneSessions(time: number, limit: number): Transaction<number> {
  yield* sql`UPDATE @totals SET is_pruning = 1`;
  const sessions = yield* sql`
    DELETE FROM @sessions WHERE id IN (
      SELECT id FROM @sessions WHERE session_start < ${time} ORDER BY session_start LIMIT CAST(${limit} AS bigint)
    ) RETURNING id
  `;
  yield* sql`UPDATE @totals SET is_pruning = 0`;
  if (sessions.count > 0) {
    yield* sql`UPDATE @totals SET pruned_until = ${time} WHERE pruned_until < ${time}`;
  }
  const hashes = yield* sql`
    DELETE FROM @erased_sessions WHERE id_hash IN (
      SELECT id_hash FROM @erased_sessions WHERE erased_at < ${time} LIMIT CAST(${limit} AS bigint)
    ) RETURNING id_hash
  `;
  return sessions.count + hashes.count;
}
