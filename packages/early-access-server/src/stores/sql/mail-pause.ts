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

/** Stores the pause that `change` returns in place of the one that it gets. Returns that one. */
export function* changePause(change: (pause: MailPause | null) => MailPause | null): Transaction<MailPause | null> {
  const [row] = yield* sql`${selectPause()} #lock`;
  const pause = toPause(row);
  const next = change(pause);
  if (next === pause) return pause;
  if (next === null) yield* sql`DELETE FROM @mail_pause`;
  else {
    yield* sql`
      INSERT INTO @mail_pause (id, data) VALUES (1, ${JSON.stringify(next)}) ON CONFLICT (id) DO UPDATE SET data = excluded.data
    `;
  }
  return pause;
}
