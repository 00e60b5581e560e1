import { type ListedPerson, PERSON_STATES } from '../../app/lifecycle/states.ts';
import { chooseResend, MESSAGE_KINDS } from '../../app/mail/message-kinds.ts';
import { MAIL_STATES } from '../../app/mail/message-state.ts';
import { type Position, readCursor, writeCursor } from '../../app/people/cursor.ts';
import { presentLabels } from '../../app/people/labels.ts';
import type { PeoplePage, PeopleSort, Person } from '../../app/people/people.ts';
import type { TimelineEmail } from '../../app/people/timeline.ts';
import { toEntry, toHistory } from './record-rows.ts';
import { integer, integerOrNull, integers, type Row, readChoice, text, textOrNull } from './row.ts';

/** The person in a row of `email_signups` with their last message as `mail_kind` and `mail_state`. */
export function toPerson(row: Row): Person {
  const kind = row.mail_kind === null ? null : readChoice(row, 'mail_kind', MESSAGE_KINDS);
  const state = readChoice(row, 'state', PERSON_STATES);
  const history = toHistory(row);
  return {
    id: text(row, 'person_id'),
    ...toEntry(row),
    ...history,
    state,
    referrals: integer(row, 'referrals'),
    ...presentLabels(textOrNull(row, 'labels')),
    mail:
      kind === null
        ? null
        : {
            kind,
            state: readChoice(row, 'mail_state', MAIL_STATES),
            ...integers(row, ['attempts', 'next_attempt_at', 'changed_at']),
            reason: textOrNull(row, 'reason'),
          },
    resends: chooseResend(kind, {
      state,
      bouncedFrom: history.bounced_from,
      isImported: row.traffic_source_id === null,
    }),
  };
}

/** The email in a row of `selectEmails`. */
export function toTimelineEmail(row: Row): TimelineEmail & { readonly at: number } {
  return {
    at: integer(row, 'changed_at'),
    kind: readChoice(row, 'kind', MESSAGE_KINDS),
    state: readChoice(row, 'state', MAIL_STATES),
    reason: textOrNull(row, 'reason'),
    subject: textOrNull(row, 'subject'),
  };
}

export function toListedPerson(row: Row): ListedPerson {
  return {
    id: text(row, 'person_id'),
    state: readChoice(row, 'state', PERSON_STATES),
    confirmed_at: integerOrNull(row, 'confirmed_at'),
    unsubscribed_at: integerOrNull(row, 'unsubscribed_at'),
  };
}

/** Converts a result to a page. If there are more people, the result contains one row more than the page may have. */
export function toPage(rows: readonly Row[], sort: PeopleSort, limit: number, key: Uint8Array): PeoplePage {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    people: rows.slice(0, limit).map(toPerson),
    next:
      last === undefined
        ? null
        : writeCursor(
            key,
            sort,
            sort === 'email' ? [text(last, 'email')] : [integer(last, 'created_at'), integer(last, 'id')],
          ),
  };
}

/** The position after which the page of this cursor starts. */
export function readPosition(key: Uint8Array, cursor: string, sort: PeopleSort): Position {
  return readCursor(key, cursor, sort, sort === 'email' ? 1 : 2);
}

/** The key with which list cursors are encrypted. */
export function cursorKey(row: Row | undefined): Uint8Array {
  const key = row?.cursor_key;
  if (!(key instanceof Uint8Array)) throw new TypeError('column cursor_key holds no bytes');
  return key;
}
