import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { afterAttempt, beginAttempt, type MessageRecord, requeued } from '../../../app/mail/message.ts';
import type { Clock } from '../../../app/ports.ts';
import {
  afterDelivery,
  afterResend,
  DAY_MS,
  DISABLED_REASON,
  type EndpointHealth,
  HEALTHY,
  LEASE_ENDED_REASON,
} from '../../../app/webhooks/endpoint.ts';
import { changeEndpoint } from '../../../app/webhooks/endpoint-change.ts';
import {
  DELIVERY_LOG_MS,
  type Webhook,
  type WebhookDelivery,
  type WebhookStore,
} from '../../../app/webhooks/webhook-store.ts';
import { claimTokenOf, toMessage } from '../../sql/message-row.ts';
import { integer, integerOrNull, text } from '../../sql/row.ts';
import { toDelivery, toWebhook } from '../../sql/webhook-row.ts';
import type { GroupCommit } from '../group-commit.ts';

/** Endpoints and their queue, read synchronously. */
export interface SqliteWebhookStore extends WebhookStore {
  list(): readonly Webhook[];
  deliveries(webhookId: string, limit: number): readonly WebhookDelivery[];
  nextDueAt(): number | null;
}

/** The event's id is the message's key: the same for every attempt. */
const DELIVERY = 'SELECT *, event_id AS message_key FROM webhook_deliveries';

export function webhookTables(
  db: DatabaseSync,
  commit: GroupCommit,
  clock: Clock,
  leaseMs: number,
): SqliteWebhookStore {
  const all = db.prepare('SELECT * FROM webhooks ORDER BY rowid');
  const find = db.prepare('SELECT * FROM webhooks WHERE id = ?');
  const insert = db.prepare(
    'INSERT INTO webhooks (id, url, secret, format, events, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const update = db.prepare('UPDATE webhooks SET url = ?, format = ?, events = ? WHERE id = ?');
  const updateHealth = db.prepare(
    'UPDATE webhooks SET failing_since = ?, failures = ?, paused_until = ?, disabled_at = ? WHERE id = ?',
  );
  const remove = db.prepare('DELETE FROM webhooks WHERE id = ?');
  const deliveries = db.prepare(`${DELIVERY} WHERE webhook_id = ? ORDER BY id DESC LIMIT ?`);
  const findDelivery = db.prepare(`${DELIVERY} WHERE id = ?`);
  const lapsed = db.prepare(`${DELIVERY} WHERE state = 'sending' AND lease_until < ?`);
  const updateDelivery = db.prepare(`
    UPDATE webhook_deliveries SET state = ?, attempts = ?, next_attempt_at = ?, lease_until = ?, reason = ?, changed_at = ? WHERE id = ?
  `);
  const failQueued = db.prepare(`
    UPDATE webhook_deliveries SET state = 'failed', reason = '${DISABLED_REASON}', changed_at = ? WHERE webhook_id = ? AND state = 'queued'
  `);
  const queueFailed = db.prepare(`
    UPDATE webhook_deliveries SET state = 'queued', attempts = 0, next_attempt_at = ?, changed_at = ?, reason = NULL
    WHERE webhook_id = ? AND state = 'failed' AND at > ?
  `);
  const hasten = db.prepare(
    "UPDATE webhook_deliveries SET next_attempt_at = ? WHERE webhook_id = ? AND state = 'queued'",
  );
  const due = db.prepare(`
    SELECT delivery.*, event_id AS message_key FROM webhooks AS webhook
    JOIN webhook_deliveries AS delivery ON delivery.id = (
      SELECT id FROM webhook_deliveries WHERE webhook_id = webhook.id AND state = 'queued' ORDER BY next_attempt_at LIMIT 1
    )
    WHERE disabled_at IS NULL AND max(paused_until, next_attempt_at) <= ? AND webhook.id NOT IN (SELECT value FROM json_each(?))
    ORDER BY next_attempt_at LIMIT 1
  `);
  const nextDueAt = db.prepare(`
    SELECT min(max(paused_until, (
      SELECT min(next_attempt_at) FROM webhook_deliveries WHERE webhook_id = webhooks.id AND state = 'queued'
    ))) AS due FROM webhooks WHERE disabled_at IS NULL
  `);
  const prune = db.prepare(`
    DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries ORDER BY id LIMIT ?) AND at < ?
  `);

  const webhookOf = (id: string) => {
    const row = find.get(id);
    return row === undefined ? null : toWebhook(row);
  };
  const saveHealth = (id: string, { failing_since, failures, paused_until, disabled_at }: EndpointHealth) =>
    void updateHealth.run(failing_since, failures, paused_until, disabled_at, id);
  const saveDelivery = (id: number, message: MessageRecord) => {
    const { state, attempts, next_attempt_at, lease_until, reason, changed_at } = message;
    updateDelivery.run(state, attempts, next_attempt_at, lease_until || null, reason, changed_at, id);
  };

  return {
    list: () => all.all().map(toWebhook),
    add: ({ url, secret, format, events }) =>
      commit.run(() => {
        const webhook = { id: randomUUID(), url, secret, format, events, created_at: clock(), ...HEALTHY };
        insert.run(webhook.id, url, secret, format, JSON.stringify(events), webhook.created_at);
        return webhook;
      }),
    change: (id, changes) =>
      commit.run(() => {
        const before = webhookOf(id);
        if (before === null) return false;
        const now = clock();
        const { endpoint, hastensQueued, failsQueued, queuesFailed } = changeEndpoint(before, changes, now);
        update.run(endpoint.url, endpoint.format, JSON.stringify(endpoint.events), id);
        saveHealth(id, endpoint);
        if (hastensQueued) hasten.run(now, id);
        if (queuesFailed) queueFailed.run(now, now, id, now - DAY_MS);
        if (failsQueued) failQueued.run(now, id);
        return true;
      }),
    remove: (id) => commit.run(() => remove.run(id).changes > 0),
    deliveries: (webhookId, limit) => deliveries.all(webhookId, limit).map(toDelivery),
    resend: (id) =>
      commit.run(() => {
        const row = findDelivery.get(id);
        const webhook = row && webhookOf(text(row, 'webhook_id'));
        const next = row && requeued(toMessage(row), clock());
        if (!next || webhook?.disabled_at !== null) return false;
        saveDelivery(integer(row, 'id'), next);
        saveHealth(webhook.id, afterResend(webhook));
        return true;
      }),
    claim: (busy = []) =>
      commit.run(() => {
        const now = clock();
        const row = due.get(now, JSON.stringify(busy));
        const webhook = row && webhookOf(text(row, 'webhook_id'));
        if (!webhook) return null;
        const begun = beginAttempt(toMessage(row), now, leaseMs);
        saveDelivery(integer(row, 'id'), begun);
        const { state, attempts, reason, changed_at } = begun;
        return { ...toDelivery(row), state, attempts, reason, changed_at, webhook, claimToken: claimTokenOf(begun) };
      }),
    recordOutcome: ({ id, webhook_id, claimToken }, outcome) =>
      commit.run(() => {
        const now = clock();
        const row = findDelivery.get(id);
        const message = row && toMessage(row);
        if (message && claimTokenOf(message) === claimToken) {
          const next = afterAttempt(message, outcome, now);
          if (next !== null) saveDelivery(integer(row, 'id'), next);
        }
        const before = webhookOf(webhook_id);
        if (before === null) return 'recorded';
        const after = afterDelivery(before, outcome, now);
        saveHealth(webhook_id, after);
        // Also what was in progress while the endpoint was disabled.
        if (after.disabled_at !== null) failQueued.run(now, webhook_id);
        return after.disabled_at === before.disabled_at ? 'recorded' : 'disabled';
      }),
    expireLeases: async () => {
      if (lapsed.get(clock()) === undefined) return 0;
      return commit.run(() => {
        const now = clock();
        const rows = lapsed.all(now);
        for (const row of rows) {
          const reason = LEASE_ENDED_REASON;
          const queued = { ...toMessage(row), state: 'queued', next_attempt_at: now, reason, changed_at: now } as const;
          saveDelivery(integer(row, 'id'), queued);
        }
        return rows.length;
      });
    },
    nextDueAt: () => integerOrNull(nextDueAt.get(), 'due'),
    prune: (limit) => commit.run(() => Number(prune.run(limit, clock() - DELIVERY_LOG_MS).changes)),
  };
}
