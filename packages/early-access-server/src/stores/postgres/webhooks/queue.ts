import {
  afterAttempt,
  beginAttempt,
  type MessageOutcome,
  type MessageRecord,
  requeued,
} from '../../../app/mail/message.ts';
import type { Clock } from '../../../app/ports.ts';
import { afterDelivery, afterResend, LEASE_ENDED_REASON } from '../../../app/webhooks/endpoint.ts';
import {
  type ClaimedDelivery,
  DELIVERY_LOG_MS,
  type Webhook,
  type WebhookStore,
} from '../../../app/webhooks/webhook-store.ts';
import { claimTokenOf, toMessage } from '../../sql/message-row.ts';
import { integer, integerOrNull, type Row, rowIdOf, text } from '../../sql/row.ts';
import { toDelivery, toWebhook } from '../../sql/webhook-row.ts';
import type { Queries, Transaction } from '../connection.ts';
import type { Database } from '../database.ts';
import { failQueued, findWebhook, saveHealth } from './endpoints.ts';

/** The deliveries of the endpoints. */
export function webhookQueue(
  database: Database,
  clock: Clock,
  leaseMs: number,
): Omit<WebhookStore, 'list' | 'add' | 'change' | 'remove'> {
  return {
    deliveries: (webhookId, limit) =>
      database.read(async (sql) => {
        const rows = await sql`
          SELECT *, event_id AS message_key FROM early_access.webhook_deliveries WHERE webhook_id = ${webhookId}
          ORDER BY id DESC LIMIT ${limit}
        `;
        return rows.map(toDelivery);
      }),
    resend: (id) => database.write((tx) => resend(tx, id, clock())),
    claim: (busy = []) => database.claim((tx) => claim(tx, busy, clock(), leaseMs)),
    recordOutcome: (delivery, outcome) => database.write((tx) => recordOutcome(tx, delivery, outcome, clock())),
    async expireLeases() {
      const now = clock();
      const [lapsed] = await database.read(
        (sql) => sql`
          SELECT FROM early_access.webhook_deliveries WHERE state = 'sending' AND lease_until < ${now} LIMIT 1
        `,
      );
      return lapsed === undefined ? 0 : database.write((tx) => expireLeases(tx, now));
    },
    nextDueAt: () => database.read(nextDueAt),
    prune: (limit) =>
      database.write(async (tx) => {
        const removed = await tx`
          DELETE FROM early_access.webhook_deliveries
          WHERE id IN (SELECT id FROM early_access.webhook_deliveries ORDER BY id LIMIT ${limit})
            AND at < ${clock() - DELIVERY_LOG_MS}
        `;
        return removed.count;
      }),
  };
}

async function findDelivery(tx: Transaction, id: string): Promise<Row | undefined> {
  const [row] = await tx`
    SELECT *, event_id AS message_key FROM early_access.webhook_deliveries WHERE id = ${rowIdOf(id)} FOR UPDATE
  `;
  return row;
}

async function saveDelivery(tx: Transaction, id: number, message: MessageRecord): Promise<void> {
  const { state, attempts, next_attempt_at, lease_until, reason, changed_at } = message;
  await tx`
    UPDATE early_access.webhook_deliveries SET state = ${state}, attempts = ${attempts}, next_attempt_at = ${next_attempt_at},
      lease_until = ${lease_until || null}, reason = ${reason}, changed_at = ${changed_at}
    WHERE id = ${id}
  `;
}

async function resend(tx: Transaction, id: string, now: number): Promise<boolean> {
  const row = await findDelivery(tx, id);
  const webhook = row && (await findWebhook(tx, text(row, 'webhook_id')));
  const next = row && requeued(toMessage(row), now);
  if (!next || webhook?.disabled_at !== null) return false;
  await saveDelivery(tx, integer(row, 'id'), next);
  await saveHealth(tx, webhook.id, afterResend(webhook));
  return true;
}

/** There are few endpoints, so each has its first delivery looked up; only the one that is claimed is locked. */
async function claim(
  tx: Transaction,
  busy: readonly string[],
  now: number,
  leaseMs: number,
): Promise<ClaimedDelivery | null> {
  const due = await tx`
    SELECT webhook.* FROM early_access.webhooks AS webhook CROSS JOIN LATERAL (
      SELECT next_attempt_at FROM early_access.webhook_deliveries WHERE webhook_id = webhook.id AND state = 'queued'
      ORDER BY next_attempt_at LIMIT 1
    ) AS first
    WHERE disabled_at IS NULL AND paused_until <= ${now} AND next_attempt_at <= ${now} AND id <> ALL(${busy}::text[])
    ORDER BY next_attempt_at, position
  `;
  for (const webhook of due.map(toWebhook)) {
    const [row] = await tx`
      SELECT *, event_id AS message_key FROM early_access.webhook_deliveries
      WHERE webhook_id = ${webhook.id} AND state = 'queued' AND next_attempt_at <= ${now}
      ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
    `;
    if (row !== undefined) return begin(tx, row, webhook, now, leaseMs);
  }
  return null;
}

async function begin(
  tx: Transaction,
  row: Row,
  webhook: Webhook,
  now: number,
  leaseMs: number,
): Promise<ClaimedDelivery> {
  const begun = beginAttempt(toMessage(row), now, leaseMs);
  await saveDelivery(tx, integer(row, 'id'), begun);
  const { state, attempts, reason, changed_at } = begun;
  return { ...toDelivery(row), state, attempts, reason, changed_at, webhook, claimToken: claimTokenOf(begun) };
}

async function recordOutcome(
  tx: Transaction,
  { id, webhook_id, claimToken }: ClaimedDelivery,
  outcome: MessageOutcome,
  now: number,
): Promise<'recorded' | 'disabled'> {
  const row = await findDelivery(tx, id);
  const message = row && toMessage(row);
  if (message && claimTokenOf(message) === claimToken) {
    const next = afterAttempt(message, outcome, now);
    if (next !== null) await saveDelivery(tx, integer(row, 'id'), next);
  }
  const before = await findWebhook(tx, webhook_id);
  if (before === null) return 'recorded';
  const after = afterDelivery(before, outcome, now);
  await saveHealth(tx, webhook_id, after);
  // Also what was in progress while the endpoint was disabled.
  if (after.disabled_at !== null) await failQueued(tx, webhook_id, now);
  return after.disabled_at === before.disabled_at ? 'recorded' : 'disabled';
}

async function expireLeases(tx: Transaction, now: number): Promise<number> {
  const queued = await tx`
    UPDATE early_access.webhook_deliveries
    SET state = 'queued', next_attempt_at = ${now}, reason = ${LEASE_ENDED_REASON}, changed_at = ${now}
    WHERE state = 'sending' AND lease_until < ${now}
  `;
  return queued.count;
}

async function nextDueAt(sql: Queries): Promise<number | null> {
  const [row] = await sql`
    SELECT min(greatest(paused_until, next_attempt_at)) AS due FROM early_access.webhooks CROSS JOIN LATERAL (
      SELECT next_attempt_at FROM early_access.webhook_deliveries WHERE webhook_id = webhooks.id AND state = 'queued'
      ORDER BY next_attempt_at LIMIT 1
    ) AS first
    WHERE disabled_at IS NULL
  `;
  return integerOrNull(row, 'due');
}
