import type { DatabaseSync } from 'node:sqlite';
import { text, textOrNull } from './row.ts';
import type { SessionTable } from './sessions.ts';

/** What was erased of a person. */
export interface Erased {
  /** Names the welcome email, for erasing a copy that was written to a file. */
  readonly messageKey: string;
  /** Whether the visit in which the person signed up was there and is erased too. */
  readonly session: boolean;
}

/**
 * Makes what erases a person: the sign-up, its mail (by the foreign key's cascade; a queued one is never sent) and the visit it was
 * made in. Answers null where nothing is kept about the address. One member of a transaction.
 */
export function eraser(db: DatabaseSync, sessions: SessionTable): (email: string) => Erased | null {
  const find = db.prepare(`
    SELECT session_id, message_key FROM email_signups JOIN mails ON signup_id = id WHERE email = ?
  `);
  const remove = db.prepare('DELETE FROM email_signups WHERE email = ?');
  return (email) => {
    const row = find.get(email);
    if (row === undefined) return null;
    const sessionId = textOrNull(row, 'session_id');
    remove.run(email);
    return { messageKey: text(row, 'message_key'), session: sessionId !== null && sessions.erase(sessionId) };
  };
}
