import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../app/ports.ts';
import { DAY_MS, DISABLED_REASON, type EndpointHealth, HEALTHY } from '../../../app/webhooks/endpoint.ts';
import { changeEndpoint } from '../../../app/webhooks/endpoint-change.ts';
import type { Webhook, WebhookChanges, WebhookStore } from '../../../app/webhooks/webhook-store.ts';
import { toWebhook } from '../../sql/webhook-row.ts';
import type { Transaction } from '../connection.ts';
import type { Database } from '../database.ts';

export function webhookEndpoints(
  database: Database,
  clock: Clock,
): Pick<WebhookStore, 'list' | 'add' | 'change' | 'remove'> {
  return {
    list: () =>
      database.read(async (sql) => (await sql`SELECT * FROM early_access.webhooks ORDER BY position`).map(toWebhook)),
    add: ({ url, secret, format, events }) =>
      database.write(async (tx) => {
        const webhook = { id: randomUUID(), url, secret, format, events, created_at: clock(), ...HEALTHY };
        await tx`
          INSERT INTO early_access.webhooks (id, url, secret, format, events, created_at)
          VALUES (${webhook.id}, ${url}, ${secret}, ${format}, ${JSON.stringify(events)}, ${webhook.created_at})
        `;
        return webhook;
      }),
    change: (id, changes) => database.write((tx) => change(tx, id, changes, clock())),
    remove: (id) =>
      database.write(async (tx) => (await tx`DELETE FROM early_access.webhooks WHERE id = ${id}`).count > 0),
  };
}

async function change(tx: Transaction, id: string, changes: WebhookChanges, now: number): Promise<boolean> {
  const before = await findWebhook(tx, id);
  if (before === null) return false;
  const { endpoint, hastensQueued, failsQueued, queuesFailed } = changeEndpoint(before, changes, now);
  await tx`
    UPDATE early_access.webhooks SET url = ${endpoint.url}, format = ${endpoint.format}, events = ${JSON.stringify(endpoint.events)}
    WHERE id = ${id}
  `;
  await saveHealth(tx, id, endpoint);
  if (hastensQueued) {
    await tx`
      UPDATE early_access.webhook_deliveries SET next_attempt_at = ${now} WHERE webhook_id = ${id} AND state = 'queued'
    `;
  }
  if (queuesFailed) {
    await tx`
      UPDATE early_access.webhook_deliveries SET state = 'queued', attempts = 0, next_attempt_at = ${now}, changed_at = ${now},
        reason = NULL
      WHERE webhook_id = ${id} AND state = 'failed' AND at > ${now - DAY_MS}
    `;
  }
  if (failsQueued) await failQueued(tx, id, now);
  return true;
}

export async function findWebhook(tx: Transaction, id: string): Promise<Webhook | null> {
  const [row] = await tx`SELECT * FROM early_access.webhooks WHERE id = ${id}`;
  return row === undefined ? null : toWebhook(row);
}

export async function saveHealth(tx: Transaction, id: string, health: EndpointHealth): Promise<void> {
  const { failing_since, failures, paused_until, disabled_at } = health;
  await tx`
    UPDATE early_access.webhooks SET failing_since = ${failing_since}, failures = ${failures}, paused_until = ${paused_until},
      disabled_at = ${disabled_at}
    WHERE id = ${id}
  `;
}

/** Fails what is queued for a disabled endpoint. */
export async function failQueued(tx: Transaction, webhookId: string, now: number): Promise<void> {
  await tx`
    UPDATE early_access.webhook_deliveries SET state = 'failed', reason = ${DISABLED_REASON}, changed_at = ${now}
    WHERE webhook_id = ${webhookId} AND state = 'queued'
  `;
}
