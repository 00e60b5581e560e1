import { type MailPause, readMailPause } from '../../app/mail/mail-pause.ts';
import { type Row, textOrNull } from './row.ts';
import { type Statement, sql, type Transaction } from './statement.ts';

/** The pause of the mail queue in the column `pause` of a row. */
export function toPause(row: Row | undefined): MailPause | null {
  const data = row && textOrNull(row, 'pause');
  return data ? readMailPause(data) : null;
}

export function selectPause(): Statement {
  return sql`SELECT data AS pause FROM @mail_pause`;
}

interface PauseChange {
  readonly before: MailPause | null;
  readonly after: MailPause | null;
}

/** Replaces the stored pause with the result of `change`. Returns both. */
export function* changePause(change: (pause: MailPause | null) => MailPause | null): Transaction<PauseChange> {
  const [row] = yield* sql`${selectPause()} #lock`;
  const before = toPause(row);
  const after = change(before);
  if (after === before) return { before, after };
  if (after === null) yield* sql`DELETE FROM @mail_pause`;
  else {
    yield* sql`
      INSERT INTO @mail_pause (id, data) VALUES (1, ${JSON.stringify(after)}) ON CONFLICT (id) DO UPDATE SET data = excluded.data
    `;
  }
  return { before, after };
}
