import { recordEvents } from '../sql/events.ts';
import { toPersonOfEvent } from '../sql/list-rows.ts';
import { integer, text, textOrNull } from '../sql/row.ts';
import type { Erased } from '../store.ts';
import type { Transaction } from './connection.ts';
import { runTransaction } from './run-transaction.ts';
import { eraseSession } from './sessions.ts';

/**
 * Erases a person: the signup, its messages, links and events (by the foreign keys' cascade; queued ones are never sent) and the session in
 * which they signed up. Returns null if nothing is stored about the address.
 */
export async function erasePerson(tx: Transaction, email: string, now: number): Promise<Erased | null> {
  const [row] = await tx`
    SELECT id, person_id, session_id FROM early_access.email_signups WHERE email = ${email} FOR UPDATE
  `;
  if (row === undefined) return null;
  const [id, sessionId] = [integer(row, 'id'), textOrNull(row, 'session_id')];
  const mails = await tx`SELECT message_key FROM early_access.mails WHERE signup_id = ${id}`;
  await tx`DELETE FROM early_access.email_signups WHERE id = ${id}`;
  await runTransaction(tx, recordEvents('person.erased', [toPersonOfEvent(row)], now));
  const session = sessionId !== null && (await eraseSession(tx, sessionId, now));
  return { messageKeys: mails.map((mail) => text(mail, 'message_key')), sessionId, session };
}
