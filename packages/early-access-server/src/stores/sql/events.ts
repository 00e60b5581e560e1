import { randomUUID } from 'node:crypto';
import { DISABLED_REASON } from '../../app/webhooks/endpoint.ts';
import type { EventType } from '../../app/webhooks/events.ts';
import type { PersonOfEvent } from './list-rows.ts';
import { type Rows, sql, type Transaction } from './statement.ts';
import { toWebhook } from './webhook-row.ts';

export const SELECT_ENDPOINTS = sql`SELECT * FROM @webhooks ORDER BY position`;

/**
 * Queues an event about each of the people for every endpoint that wants it. Call it in the transaction of the change,
 * so that an event is recorded if and only if the change is stored. Without endpoints it costs one lookup in an empty
 * table, or none if the caller already has the rows of `SELECT_ENDPOINTS`.
 */
export function* recordEvents(
  type: EventType,
  people: readonly PersonOfEvent[],
  now: number,
  endpointRows?: Rows,
): Transaction<void> {
  if (people.length === 0) return;
  const stored = endpointRows ?? (yield* SELECT_ENDPOINTS);
  const endpoints = stored.map(toWebhook).filter(({ events }) => events.includes(type));
  if (endpoints.length === 0) return;
  const deliveries = people.flatMap(({ id, person_id }) => {
    const eventId = randomUUID();
    // This is the only event that is stored after the person's row is deleted.
    const signupId = type === 'person.erased' ? null : id;
    return endpoints.map((endpoint) => [
      ...[endpoint.id, signupId, eventId, person_id],
      ...(endpoint.disabled_at === null ? ['queued', null] : ['failed', DISABLED_REASON]),
    ]);
  });
  yield* sql`
    INSERT INTO @webhook_deliveries (webhook_id, signup_id, event_id, person, state, reason, type, at, next_attempt_at, changed_at)
    SELECT value ->> 0, CAST(value ->> 1 AS bigint), value ->> 2, value ->> 3, value ->> 4, value ->> 5,
      ${type}, CAST(${now} AS bigint), CAST(${now} AS bigint), CAST(${now} AS bigint)
    FROM #each(${JSON.stringify(deliveries)})
  `;
}
