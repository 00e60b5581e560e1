import { nextState, PERSON_STATES, type PersonEvent, type PersonState } from '../../app/list/states.ts';
import { integer, oneOf, personId, type Row, text } from './row.ts';

/** A row of `email_signups`, as far as the list's life is concerned. */
export interface PersonRow {
  readonly id: number;
  readonly email: string;
  readonly submissionId: string;
  readonly state: PersonState;
  /** The state in which the address bounced. */
  readonly bouncedFrom: PersonState | null;
  readonly publicId: string;
}

export function toPersonRow(row: Row): PersonRow {
  return {
    id: integer(row, 'id'),
    email: text(row, 'email'),
    submissionId: text(row, 'submission_id'),
    state: oneOf(row, 'state', PERSON_STATES),
    bouncedFrom: row.bounced_from === null ? null : oneOf(row, 'bounced_from', PERSON_STATES),
    publicId: personId(integer(row, 'id'), text(row, 'submission_id')),
  };
}

/** What the event changes in the row; null if it is not possible now. */
export function afterEvent(
  { state, bouncedFrom }: PersonRow,
  event: PersonEvent,
): Pick<PersonRow, 'state' | 'bouncedFrom'> | null {
  const next = nextState(state, event, bouncedFrom);
  return next === null ? null : { state: next, bouncedFrom: next === 'bounced' ? state : null };
}
