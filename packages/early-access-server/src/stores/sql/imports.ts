import { mayWithdraw } from '../../app/import/withdraw-import.ts';
import type { ImportedMember, ImportName, ImportRecord } from '../../app/ports/list-store.ts';
import { readTimeline } from './record-rows.ts';
import { integer, integerOrNull, integers, type Row, text, texts } from './row.ts';
import type { SqlDatabase } from './sql-database.ts';
import { each, type Statement, sql, type Transaction } from './statement.ts';

/** People read per statement. */
const PAGE = 100;

/** Records that an import added people. `added` is at least 1. */
export function recordImport({ id, name }: ImportName, added: number, now: number): Statement {
  return sql`
    INSERT INTO @imports AS stored (id, created_at, name, added) VALUES (${id}, ${now}, ${name}, ${added})
    ON CONFLICT (id) DO UPDATE SET added = stored.added + excluded.added
  `;
}

/** Selects imports, newest first, each with the number of its people still on the list, counted through an index. */
export function selectImports(limit: number): Statement {
  return sql`
    SELECT id, created_at, name, added, (SELECT count(*) FROM @email_signups WHERE import_id = import.id) AS people
    FROM @imports AS import ORDER BY created_at DESC, id DESC LIMIT CAST(${limit} AS bigint)
  `;
}

export function toImport(row: Row): ImportRecord {
  return { ...texts(row, ['id', 'name']), ...integers(row, ['created_at', 'added', 'people']) };
}

/** Reads in pages, so that no transaction stays open while the caller processes them. */
export async function* readPeopleOfImport(
  { read }: SqlDatabase,
  id: string,
): AsyncGenerator<ImportedMember, void, void> {
  for (let beyond = sql``; ; ) {
    const members = await read(() =>
      selectMembers(sql`import_id = ${id} ${beyond} ORDER BY created_at, id LIMIT CAST(${PAGE} AS bigint)`),
    );
    yield* members;
    const last = members.at(-1);
    if (last === undefined || members.length < PAGE) return;
    beyond = sql`AND (created_at, id) > (${last.createdAt}, ${last.id})`;
  }
}

/**
 * Returns whether the import added the person and withdrawing it erases them. Locks the person and the messages that
 * the decision depends on.
 */
export function* isWithdrawable(email: string, importId: string): Transaction<boolean> {
  const [member] = yield* selectMembers(sql`email = ${email} AND import_id = ${importId} #lock`, sql`#lock`);
  return member?.isWithdrawable === true;
}

function* selectMembers(condition: Statement, lock = sql``) {
  const people = yield* sql`SELECT id, email, created_at, timeline FROM @email_signups WHERE ${condition}`;
  const ids = each(people.map((row) => integer(row, 'id')));
  const mails = yield* sql`
    SELECT signup_id, attempts, lease_until FROM @mails WHERE signup_id IN (SELECT CAST(value AS bigint) FROM ${ids}) ${lock}
  `;
  const messages = Map.groupBy(
    mails.map((row) => ({
      ...integers(row, ['signup_id', 'attempts']),
      lease_until: integerOrNull(row, 'lease_until') ?? 0,
    })),
    ({ signup_id }) => signup_id,
  );
  return people.map((row) => {
    const id = integer(row, 'id');
    const isWithdrawable = mayWithdraw(readTimeline(row), messages.get(id) ?? []);
    return { id, createdAt: integer(row, 'created_at'), email: text(row, 'email'), isWithdrawable };
  });
}
