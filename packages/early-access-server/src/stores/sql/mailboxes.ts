import { mailboxKey } from '../../app/lifecycle/mailbox.ts';
import { type EnteredSignup, isOptedOut } from '../../app/lifecycle/opt-out.ts';
import { addEvents } from '../../app/people/timeline.ts';
import { queueMessages } from './messages.ts';
import { toListedPerson } from './people-rows.ts';
import { readTimeline } from './record-rows.ts';
import { fieldsJson, integer, type Row, text } from './row.ts';
import { each, list, type Statement, sql, type Transaction } from './statement.ts';

/** People whose mailboxes one transaction stores. */
const FILLED_AT_ONCE = 1_000;

/**
 * Whether an older program, which does not know mailboxes, has added people. Reads an index, so that a start has
 * nothing to write.
 */
export function* lacksMailboxes(): Transaction<boolean> {
  const rows = yield* sql`SELECT 1 FROM @email_signups WHERE mailbox IS NULL LIMIT 1`;
  return rows.length > 0;
}

/** Stores the mailboxes of some of these people. */
export function* fillMailboxes(): Transaction<void> {
  const rows = yield* sql`SELECT id, email FROM @email_signups WHERE mailbox IS NULL LIMIT ${FILLED_AT_ONCE}`;
  const mailboxes = each(rows.map((row) => [integer(row, 'id'), mailboxKey(text(row, 'email'))]));
  yield* sql`
    UPDATE @email_signups AS signup SET mailbox = value ->> 1 FROM ${mailboxes} WHERE signup.id = CAST(value ->> 0 AS bigint)
  `;
}

/** Selects the people with the mailboxes of these addresses who have ever unsubscribed, for `findOptOuts`. */
export function selectOptOuts(emails: readonly string[]): Statement {
  return sql`
    SELECT mailbox, person_id, state, confirmed_at, unsubscribed_at FROM @email_signups
    WHERE mailbox IN (${list(emails.map(mailboxKey))}) AND unsubscribed_at IS NOT NULL
  `;
}

/** The mailboxes whose opt-out holds. */
export function findOptOuts(rows: readonly Row[] = []): ReadonlySet<string> {
  return new Set(rows.filter((row) => isOptedOut(toListedPerson(row))).map((row) => text(row, 'mailbox')));
}

/** The ids of everyone with the mailbox of the person. */
export function* selectMailbox(signupId: number): Transaction<readonly number[]> {
  const rows = yield* sql`
    SELECT id FROM @email_signups WHERE id = ${signupId}
      OR mailbox = (SELECT mailbox FROM @email_signups WHERE id = ${signupId}) ORDER BY id
  `;
  return rows.map((row) => integer(row, 'id'));
}

/**
 * Stores a new signup of a person who has unsubscribed, in whose row everything else stays, and queues its
 * confirmation. The links of earlier confirmations no longer confirm.
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

/** Makes a new signup the person's, once they have confirmed it. */
export function applyEntered(
  signupId: number,
  { submission_id, fields, page_url, language, share_code = null }: EnteredSignup,
): Statement {
  return sql`
    UPDATE @email_signups SET submission_id = ${submission_id}, fields = ${fieldsJson(fields)}, page_url = ${page_url ?? null},
      language = ${language}, share_code = coalesce(share_code, ${share_code}), entered = NULL, entered_at = NULL WHERE id = ${signupId}
  `;
}
