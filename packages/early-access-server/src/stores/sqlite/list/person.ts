import type { DatabaseSync } from 'node:sqlite';
import type { PersonEvent } from '../../../app/list/states.ts';
import { EVENT_OF } from '../../../app/webhooks/events.ts';
import { recordEvents } from '../../sql/events.ts';
import { afterEvent, type PersonRow, toPersonOfEvent, toPersonRow } from '../../sql/list-rows.ts';
import type { RunTransaction } from '../run-transaction.ts';

export type PersonTable = ReturnType<typeof personTable>;

/** Statements on the state of people. Each writing function is one member of a transaction. */
export function personTable(db: DatabaseSync, run: RunTransaction) {
  const find = db.prepare('SELECT * FROM email_signups WHERE id = ?');
  const setState = db.prepare('UPDATE email_signups SET state = ?, bounced_from = ? WHERE id = ?');
  const removeQueued = db.prepare("DELETE FROM mails WHERE signup_id = ? AND state = 'queued'");

  return {
    find(id: number): PersonRow | null {
      const row = find.get(id);
      return row === undefined ? null : toPersonRow(row);
    },
    /** Changes the state if the event is possible. Drops what is queued for a person who unsubscribes. */
    apply(id: number, event: PersonEvent, now: number): void {
      const row = find.get(id);
      const person = row && toPersonRow(row);
      const after = person && afterEvent(person, event);
      if (!after) return;
      setState.run(after.state, after.bouncedFrom, id);
      if (after.state === 'unsubscribed') removeQueued.run(id);
      const type = EVENT_OF[event];
      if (type) run(recordEvents(type, [toPersonOfEvent(row)], now));
    },
  };
}
