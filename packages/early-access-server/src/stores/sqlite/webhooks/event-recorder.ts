import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { DISABLED_REASON } from '../../../app/webhooks/endpoint.ts';
import type { EventType } from '../../../app/webhooks/events.ts';
import type { PersonOfEvent } from '../../sql/list-rows.ts';

/**
 * Queues an event for every endpoint that wants it. Call it inside the transaction of the change itself, so that an event is recorded if
 * and only if it happened. Without endpoints it costs one lookup in an empty table.
 */
export type RecordEvent = (type: EventType, person: PersonOfEvent, now: number) => void;

export function eventRecorder(db: DatabaseSync): RecordEvent {
  const wanted = db.prepare(`SELECT id, disabled_at FROM webhooks WHERE instr(events, '"' || ? || '"')`);
  const insert = db.prepare(`
    INSERT INTO webhook_deliveries (webhook_id, signup_id, event_id, type, at, person, state, next_attempt_at, changed_at, reason)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  return (type, { id, person_id }, now) => {
    const endpoints = wanted.all(type);
    if (endpoints.length === 0) return;
    const eventId = randomUUID();
    // The only event that outlives the person's row.
    const signupId = type === 'person.erased' ? null : id;
    for (const { id: webhookId = null, disabled_at } of endpoints) {
      const [state, reason] = disabled_at === null ? ['queued', null] : ['failed', DISABLED_REASON];
      insert.run(webhookId, signupId, eventId, type, now, person_id, state, now, now, reason);
    }
  };
}
