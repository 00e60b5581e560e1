import { integer, text, textOrNull } from '../../sql/row.ts';
import { sql, type Transaction } from '../../sql/statement.ts';
import type { RunTransaction } from '../run-transaction.ts';

/** If more addresses are not indexed yet, a search reads the list instead. */
const MAX_UNSEARCHED = 20_000;

// Triggers record new signups and remove addresses from the index. Recorded addresses are added to the index in steps.

/** Returns whether so few addresses are not indexed yet that a search can read each of them. */
export function isIndexUsable(run: RunTransaction): boolean {
  return run(countUnsearched(MAX_UNSEARCHED + 1)) <= MAX_UNSEARCHED;
}

/** Counts the addresses that are not indexed yet, up to `limit`. */
export function* countUnsearched(limit: number): Transaction<number> {
  const [row] =
    yield* sql`SELECT count(*) AS signups FROM (SELECT 1 FROM @unsearched_signups LIMIT CAST(${limit} AS bigint))`;
  return integer(row, 'signups');
}

/** Adds at most `limit` addresses. Returns how many. */
export function* addToIndex(limit: number): Transaction<number> {
  const rows = yield* sql`
    SELECT id, email, lower(fields) AS entered FROM @unsearched_signups JOIN @email_signups USING (id) ORDER BY id LIMIT CAST(${limit} AS bigint)
  `;
  for (const row of rows) {
    const [id, email, entered] = [integer(row, 'id'), text(row, 'email'), textOrNull(row, 'entered')];
    yield* sql`INSERT INTO @signup_search (rowid, email, entered) VALUES (${id}, ${email}, ${entered})`;
  }
  if (rows.length > 0) yield* sql`DELETE FROM @unsearched_signups WHERE id <= ${integer(rows.at(-1), 'id')}`;
  return rows.length;
}
