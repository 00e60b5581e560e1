import { mailboxKey, normalizeMailbox } from '../../app/lifecycle/mailbox.ts';
import { type EnteredSignup, isOptedOut } from '../../app/lifecycle/opt-out.ts';
import { addEvents } from '../../app/people/timeline.ts';
import { queueMessages } from './messages.ts';
import { toListedPerson } from './people-rows.ts';
import { readTimeline } from './record-rows.ts';
import { fieldsJson, integer, type Row, text } from './row.ts';
import { each, type Statement, sql, type Transaction } from './statement.ts';

/**
 * The condition that someone has the mailbox of one of the addresses, in any spelling. An address that is its own
 * mailbox has no other one stored.
 */
export function hasMailboxOf(emails: readonly string[]): Statement {
  const given = (key: (email: string) => string) =>
    sql`SELECT value ->> 0 FROM ${each(emails.map((email) => [key(email)]))}`;
  return sql`(email IN (${given(normalizeMailbox)}) OR mailbox IN (${given(mailboxKey)}))`;
}

/** Selects people with the mailboxes of these addresses who have ever unsubscribed, for `findOptOuts`. */
export function selectOptOuts(emails: readonly string[]): Statement {
  return sql`
    SELECT email, person_id, state, confirmed_at, unsubscribed_at FROM @email_signups
    WHERE ${hasMailboxOf(emails)} AND unsubscribed_at IS NOT NULL
  `;
}

/** The normalized mailboxes whose opt-out holds. */
export function findOptOuts(rows: readonly Row[] = []): ReadonlySet<string> {
  return new Set(
    rows.filter((row) => isOptedOut(toListedPerson(row))).map((row) => normalizeMailbox(text(row, 'email'))),
  );
}

/** The ids of everyone with the same mailbox as the person. */
export function* selectMailbox(signupId: number): Transaction<readonly number[]> {
  const [person] = yield* sql`SELECT email FROM @email_signups WHERE id = ${signupId}`;
  if (person === undefined) return [];
  const rows = yield* sql`SELECT id FROM @email_signups WHERE ${hasMailboxOf([text(person, 'email')])} ORDER BY id`;
  return rows.map((row) => integer(row, 'id'));
}

/**
 * Stores a new signup of an unsubscribed person and queues its confirmation. The other columns of their row do not
 * change. Earlier confirmation links stop working.
 */
export function* signUpAgain(row: Row, entered: EnteredSignup, now: number): Transaction<void> {
  const id = integer(row, 'id');
  const timeline = JSON.stringify(addEvents(readTimeline(row), { at: now, event: 'signup', by: null }));
  yield* sql`
    UPDATE @email_signups SET state = 'pending', entered = ${JSON.stringify(entered)}, entered_at = ${now}, timeline = ${timeline}
    WHERE id = ${id}
  `;
  yield* sql`
    UPDATE @person_tokens SET expires_at = ${now} WHERE signup_id = ${id} AND purpose = 'confirm' AND used_at IS NULL
  `;
  yield* queueMessages([id], 'confirmation', now);
}

/** Applies a confirmed new signup to the person. */
export function applyEntered(
  signupId: number,
  { submission_id, fields, page_url, language, share_code = null }: EnteredSignup,
): Statement {
  return sql`
    UPDATE @email_signups SET submission_id = ${submission_id}, fields = ${fieldsJson(fields)}, page_url = ${page_url ?? null},
      language = ${language}, share_code = coalesce(share_code, ${share_code}), entered = NULL, entered_at = NULL WHERE id = ${signupId}
  `;
}
