import type { DatabaseSync } from 'node:sqlite';
import { nextState, PERSON_STATES, type PersonEvent, type PersonState } from '../../../app/list/states.ts';
import { EVENT_OF } from '../../../app/webhooks/events.ts';
import { integer, oneOf, personId, type Row, text } from '../../sql/row.ts';
import type { RecordEvent } from '../webhooks/event-recorder.ts';

/** A row of `email_signups`, as far as the list's life is concerned. */
export interface PersonRow {
  readonly id: number;
  readonly email: string;
  readonly submissionId: string;
  readonly state: PersonState;
  readonly publicId: string;
}

export type PersonTable = ReturnType<typeof personTable>;

/** Statements on the state of people. Each writing function is one member of a transaction. */
export function personTable(db: DatabaseSync, record: RecordEvent) {
  const find = db.prepare('SELECT * FROM email_signups WHERE id = ?');
  const setState = db.prepare('UPDATE email_signups SET state = ?, bounced_from = ? WHERE id = ?');
  const removeQueued = db.prepare("DELETE FROM mails WHERE signup_id = ? AND state = 'queued'");

  return {
    find(id: number): PersonRow | null {
      const row = find.get(id);
      return row === undefined ? null : toPersonRow(row);
    },
    /** Changes the state if the event is possible. Drops what is queued for a person who unsubscribes. Returns whether it was possible. */
    apply(id: number, event: PersonEvent, now: number): boolean {
      const row = find.get(id);
      if (row === undefined) return false;
      const state = oneOf(row, 'state', PERSON_STATES);
      const next = nextState(
        state,
        event,
        row.bounced_from === null ? null : oneOf(row, 'bounced_from', PERSON_STATES),
      );
      if (next === null) return false;
      setState.run(next, next === 'bounced' ? state : null, id);
      if (next === 'unsubscribed') removeQueued.run(id);
      const type = EVENT_OF[event];
      if (type) record(type, { id, submission_id: text(row, 'submission_id') }, now);
      return true;
    },
  };
}

function toPersonRow(row: Row): PersonRow {
  return {
    id: integer(row, 'id'),
    email: text(row, 'email'),
    submissionId: text(row, 'submission_id'),
    state: oneOf(row, 'state', PERSON_STATES),
    publicId: personId(integer(row, 'id'), text(row, 'submission_id')),
  };
}
