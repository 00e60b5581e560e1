import { randomUUID } from 'node:crypto';
import { DISABLED_REASON } from '../../../app/webhooks/endpoint.ts';
import type { EventType } from '../../../app/webhooks/events.ts';
import type { PersonOfEvent } from '../../sql/list-rows.ts';
import type { Transaction } from '../connection.ts';

/**
 * Queues an event about each of the people for every endpoint that wants it. Call it inside the transaction of the change itself, so that an
 * event is recorded if and only if it happened. Without endpoints it costs one lookup in an empty table.
 */
export async function recordEvents(
  tx: Transaction,
  type: EventType,
  people: readonly PersonOfEvent[],
  now: number,
): Promise<void> {
  if (people.length === 0) return;
  // The only event that outlives the person's row.
  const signupIds = people.map(({ id }) => (type === 'person.erased' ? null : id));
  await tx`
    INSERT INTO early_access.webhook_deliveries
      (webhook_id, signup_id, event_id, person, type, at, state, next_attempt_at, changed_at, reason)
    SELECT webhooks.id, signup_id, event_id, person, ${type}, ${now}::bigint,
      CASE WHEN disabled_at IS NULL THEN 'queued' ELSE 'failed' END, ${now}::bigint, ${now}::bigint,
      CASE WHEN disabled_at IS NULL THEN NULL ELSE ${DISABLED_REASON} END
    FROM unnest(
      ${signupIds}::bigint[], ${people.map(() => randomUUID())}::text[],
      ${people.map(({ person_id }) => person_id)}::text[]
    ) WITH ORDINALITY AS event (signup_id, event_id, person, position)
    CROSS JOIN early_access.webhooks WHERE webhooks.events::jsonb ? ${type}
    ORDER BY event.position, webhooks.position
  `;
}
