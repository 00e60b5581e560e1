import type { PersonEvent } from '../../../app/list/states.ts';
import { EVENT_OF } from '../../../app/webhooks/events.ts';
import { recordEvents } from '../../sql/events.ts';
import { afterEvent, toPersonRow } from '../../sql/list-rows.ts';
import type { Transaction } from '../connection.ts';
import { runTransaction } from '../run-transaction.ts';

/** Like `changeStates`, for one person. */
export async function changeState(tx: Transaction, signupId: number, event: PersonEvent, now: number): Promise<void> {
  await changeStates(tx, [signupId], event, now);
}

/**
 * Changes the state of those for whom the event is possible, and records it. Drops what is queued for people who unsubscribe. Returns the
 * ids of those who were changed, in the given order. `waveId` is stored with them if it is given: null for no wave.
 */
export async function changeStates(
  tx: Transaction,
  signupIds: readonly number[],
  event: PersonEvent,
  now: number,
  waveId?: number | null,
): Promise<readonly number[]> {
  if (signupIds.length === 0) return [];
  // A lock that lets other transactions refer to the rows, as those do that store tokens.
  const rows = await tx`
    SELECT * FROM early_access.email_signups WHERE id = ANY(${[...signupIds]}::bigint[]) ORDER BY id FOR NO KEY UPDATE
  `;
  const persons = new Map(rows.map((row) => [row.id, toPersonRow(row)]));
  const changes = signupIds.flatMap((id) => {
    const person = persons.get(id);
    const after = person && afterEvent(person, event);
    return after ? [{ id, person_id: person.publicId, ...after }] : [];
  });
  if (changes.length === 0) return [];
  await tx`
    UPDATE early_access.email_signups AS signup
    SET state = changed.state, bounced_from = changed.bounced_from ${waveId === undefined ? tx`` : tx`, wave_id = ${waveId}`}
    FROM unnest(
      ${changes.map(({ id }) => id)}::bigint[], ${changes.map(({ state }) => state)}::text[],
      ${changes.map(({ bouncedFrom }) => bouncedFrom)}::text[]
    ) AS changed (id, state, bounced_from)
    WHERE signup.id = changed.id
  `;
  const unsubscribed = changes.filter(({ state }) => state === 'unsubscribed').map(({ id }) => id);
  if (unsubscribed.length > 0) {
    await tx`DELETE FROM early_access.mails WHERE signup_id = ANY(${unsubscribed}::bigint[]) AND state = 'queued'`;
  }
  const type = EVENT_OF[event];
  if (type) await runTransaction(tx, recordEvents(type, changes, now));
  return changes.map(({ id }) => id);
}
