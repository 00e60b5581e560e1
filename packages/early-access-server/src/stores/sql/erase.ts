import type { Erased } from '../../app/ports/store.ts';
import { recordEvents } from './events.ts';
import { isWithdrawable } from './imports.ts';
import { toPersonOfEvent } from './list-rows.ts';
import { eraseRequest } from './list-status.ts';
import { integer, text, textOrNull } from './row.ts';
import { eraseSession, type RemoveSession } from './sessions.ts';
import { eraseShares } from './share.ts';
import { sql, type Transaction } from './statement.ts';

/**
 * Erases a person: the signup, its messages, links and events (by cascading foreign keys; queued messages are never
 * sent), their request for the opening, and the sessions of both. Returns null if nothing is stored about the address.
 * `ofImport`: see `Store.erase`.
 */
export function* erasePerson(
  email: string,
  { removeSession, now, ofImport }: { removeSession: RemoveSession; now: number; ofImport: string | undefined },
): Transaction<Erased | null> {
  if (ofImport !== undefined && !(yield* isWithdrawable(email, ofImport))) return null;
  const corrections =
    yield* sql`DELETE FROM @mails WHERE kind = 'correction' AND recipient = ${email} RETURNING message_key`;
  const correctionKeys = corrections.map((mail) => text(mail, 'message_key'));
  const [row] =
    yield* sql`SELECT id, person_id, session_id, share_code, entered FROM @email_signups WHERE email = ${email} #lock`;
  const request = yield* eraseRequest(email);
  const requestedIn = request?.signup.session_id ?? null;
  const hadSession = requestedIn !== null && (yield* eraseSession(requestedIn, removeSession, now));
  if (row === undefined) {
    return corrections.length === 0 && request === null
      ? null
      : { messageKeys: correctionKeys, newEmail: null, sessionId: requestedIn, session: hadSession };
  }
  const [id, sessionId] = [integer(row, 'id'), textOrNull(row, 'session_id')];
  const mails = yield* sql`SELECT message_key, recipient FROM @mails WHERE signup_id = ${id}`;
  yield* sql`DELETE FROM @email_signups WHERE id = ${id}`;
  yield* eraseShares([row]);
  yield* recordEvents('person.erased', [toPersonOfEvent(row)], now);
  const session = sessionId !== null && (yield* eraseSession(sessionId, removeSession, now));
  return {
    messageKeys: [...mails.map((mail) => text(mail, 'message_key')), ...correctionKeys],
    newEmail: mails.map((mail) => textOrNull(mail, 'recipient')).find((address) => address !== null) ?? null,
    sessionId: sessionId ?? requestedIn,
    session: session || hadSession,
  };
}
