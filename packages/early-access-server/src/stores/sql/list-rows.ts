import type { EnteredSignup } from '../../app/lifecycle/opt-out.ts';
import { nextState, PERSON_STATES, type PersonEvent, type PersonState } from '../../app/lifecycle/states.ts';
import { LINK_PURPOSES, MESSAGE_KINDS } from '../../app/mail/message-kinds.ts';
import type { StoredLink } from '../../app/people/links.ts';
import type { InviteWave } from '../../app/ports/list-store.ts';
import { toEntered } from './record-rows.ts';
import { integer, integerOrNull, integers, type Row, readChoice, text } from './row.ts';
import { sql } from './statement.ts';

/** A person in an event: the row's id and the public id. */
export interface PersonOfEvent {
  readonly id: number;
  readonly person_id: string;
}

export function toPersonOfEvent(row: Row): PersonOfEvent {
  return { id: integer(row, 'id'), person_id: text(row, 'person_id') };
}

/** The columns of `email_signups` that concern the person's state. */
export interface PersonRow {
  readonly id: number;
  readonly email: string;
  /** That of the unconfirmed signup, if there is one. */
  readonly submissionId: string;
  readonly entered: EnteredSignup | null;
  readonly state: PersonState;
  /** The state before the address bounced. */
  readonly bouncedFrom: PersonState | null;
  readonly publicId: string;
}

export const PERSON_COLUMNS = sql`id, email, submission_id, entered, state, bounced_from, person_id`;

export function toPersonRow(row: Row): PersonRow {
  const entered = toEntered(row);
  return {
    id: integer(row, 'id'),
    email: text(row, 'email'),
    submissionId: entered?.submission_id ?? text(row, 'submission_id'),
    entered,
    state: readChoice(row, 'state', PERSON_STATES),
    bouncedFrom: row.bounced_from === null ? null : readChoice(row, 'bounced_from', PERSON_STATES),
    publicId: text(row, 'person_id'),
  };
}

/** The changes to the row caused by the event, or null if it is not possible now. */
export function afterEvent(
  { state, bouncedFrom }: PersonRow,
  event: PersonEvent,
): Pick<PersonRow, 'state' | 'bouncedFrom'> | null {
  const next = nextState(state, event, bouncedFrom);
  return next === null ? null : { state: next, bouncedFrom: next === 'bounced' ? state : null };
}

export function toStoredLink(row: Row): StoredLink {
  return {
    purpose: readChoice(row, 'purpose', LINK_PURPOSES),
    kind: readChoice(row, 'token_kind', MESSAGE_KINDS),
    expiresAt: integer(row, 'expires_at'),
    isUsed: integerOrNull(row, 'used_at') !== null,
  };
}

/** The wave in a row of `invite_waves` with its progress. */
export function toWave(row: Row | undefined): InviteWave {
  return {
    id: String(integer(row, 'id')),
    ...integers(row, ['created_at', 'people', 'sent', 'queued', 'failed', 'joined']),
  };
}
