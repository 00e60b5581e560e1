import { randomUUID } from 'node:crypto';
import { DAY_MS } from 'early-access-kit/internal';
import { afterAttempt, beginAttempt, type MessageRecord, requeued } from '../../app/mail/message-state.ts';
import { DELIVERY_LOG_MS, type Webhook, type WebhookStore } from '../../app/ports/webhook-store.ts';
import {
  afterDelivery,
  afterResend,
  DISABLED_REASON,
  disabledNotice,
  type EndpointHealth,
  HEALTHY,
  LEASE_ENDED_REASON,
} from '../../app/webhooks/endpoint.ts';
import { changeEndpoint } from '../../app/webhooks/endpoint-change.ts';
import { nameEndpoint } from '../../app/webhooks/endpoint-name.ts';
import { createClaimToken, toMessage } from './message-row.ts';
import { queueNotices } from './messages.ts';
import { integer, integerOrNull, parseRowId, type Row, text } from './row.ts';
import type { SqlDatabase } from './sql-database.ts';
import { sql, type Transaction } from './statement.ts';
import type { StoreSettings } from './store-options.ts';
import { toDelivery, toWebhook } from './webhook-row.ts';

/** The event's id is the message key, which is the same for every attempt. */
const DELIVERY = sql`SELECT *, event_id AS message_key FROM @webhook_deliveries`;

export function webhookStore({ query, write, claim }: SqlDatabase, { clock, leaseMs }: StoreSettings): WebhookStore {
  return {
    list: async () => (await query(sql`SELECT * FROM @webhooks ORDER BY position`)).map(toWebhook),
    add: ({ name = '', url, secret, format, events }) =>
      write(function* () {
        const named = { id: randomUUID(), name: nameEndpoint(name, url), url, secret, format, events };
        const webhook = { ...named, created_at: clock(), ...HEALTHY };
        yield* sql`
          INSERT INTO @webhooks (id, name, url, secret, format, events, created_at)
          VALUES (${webhook.id}, ${webhook.name}, ${url}, ${secret}, ${format}, ${JSON.stringify(events)}, ${webhook.created_at})
        `;
        return webhook;
      }),
    change: (id, changes) =>
      write(function* () {
        const before = yield* findWebhook(id);
        if (before === null) return false;
        const now = clock();
        const { endpoint, hastensQueued, failsQueued, queuesFailed } = changeEndpoint(before, changes, now);
        yield* sql`
          UPDATE @webhooks SET name = ${endpoint.name}, url = ${endpoint.url}, format = ${endpoint.format},
            events = ${JSON.stringify(endpoint.events)}
          WHERE id = ${id}
        `;
        yield* saveHealth(id, endpoint);
        if (hastensQueued) {
          yield* sql`UPDATE @webhook_deliveries SET next_attempt_at = ${now} WHERE webhook_id = ${id} AND state = 'queued'`;
        }
        if (queuesFailed) {
          yield* sql`
            UPDATE @webhook_deliveries SET state = 'queued', attempts = 0, next_attempt_at = ${now}, changed_at = ${now}, reason = NULL
            WHERE webhook_id = ${id} AND state = 'failed' AND at > ${now - DAY_MS}
          `;
        }
        if (failsQueued) yield* failQueued(id, now);
        return true;
      }),
    remove: async (id) => (await write(() => sql`DELETE FROM @webhooks WHERE id = ${id}`)).count > 0,
    async deliveries(webhookId, limit) {
      const rows = await query(sql`${DELIVERY} WHERE webhook_id = ${webhookId} ORDER BY id DESC LIMIT ${limit}`);
      return rows.map(toDelivery);
    },
    resend: (id) =>
      write(function* () {
        const row = yield* findDelivery(id);
        const webhook = row && (yield* findWebhook(text(row, 'webhook_id')));
        const next = row && requeued(toMessage(row), clock());
        if (!next || webhook?.disabled_at !== null) return false;
        yield* saveDelivery(integer(row, 'id'), next);
        yield* saveHealth(webhook.id, afterResend(webhook));
        return true;
      }),
    /** There are few endpoints, so the first delivery of each is looked up. */
    claim: (busy = []) =>
      claim(function* () {
        const now = clock();
        const due = yield* sql`
          SELECT webhooks.*, (
            SELECT min(next_attempt_at) FROM @webhook_deliveries WHERE webhook_id = webhooks.id AND state = 'queued'
          ) AS due FROM @webhooks AS webhooks WHERE disabled_at IS NULL AND paused_until <= ${now} ORDER BY due, position
        `;
        for (const row of due) {
          const webhook = toWebhook(row);
          if (busy.includes(webhook.id) || (integerOrNull(row, 'due') ?? Number.POSITIVE_INFINITY) > now) continue;
          const [delivery] = yield* sql`
            ${DELIVERY} WHERE webhook_id = ${webhook.id} AND state = 'queued' AND next_attempt_at <= ${now}
            ORDER BY next_attempt_at, id LIMIT 1 #lockFree
          `;
          if (delivery === undefined) continue;
          const started = beginAttempt(toMessage(delivery), now, leaseMs);
          yield* saveDelivery(integer(delivery, 'id'), started);
          return { ...toDelivery({ ...delivery, ...started }), webhook, claimToken: createClaimToken(started) };
        }
        return null;
      }),
    recordOutcome: ({ id, webhook_id, claimToken }, outcome, recipients) =>
      write(function* () {
        const now = clock();
        const row = yield* findDelivery(id);
        const message = row && toMessage(row);
        if (message && createClaimToken(message) === claimToken) {
          const next = afterAttempt(message, outcome, now);
          if (next !== null) yield* saveDelivery(integer(row, 'id'), next);
        }
        const before = yield* findWebhook(webhook_id);
        if (before === null) return 'recorded';
        const after = afterDelivery(before, outcome, now);
        yield* saveHealth(webhook_id, after);
        // Also fails the delivery that was in progress while the endpoint was disabled.
        if (after.disabled_at !== null) yield* failQueued(webhook_id, now);
        const notice = disabledNotice(before, after, outcome);
        if (notice === null) return 'recorded';
        yield* queueNotices(recipients, notice, now);
        return 'disabled';
      }),
    async expireLeases() {
      const lapsed = sql`state = 'sending' AND lease_until < ${clock()}`;
      const [any] = await query(sql`SELECT 1 FROM @webhook_deliveries WHERE ${lapsed} LIMIT 1`);
      if (any === undefined) return 0;
      const now = clock();
      const queued = await write(
        () => sql`
          UPDATE @webhook_deliveries SET state = 'queued', next_attempt_at = ${now}, reason = ${LEASE_ENDED_REASON}, changed_at = ${now}
          WHERE ${lapsed}
        `,
      );
      return queued.count;
    },
    async backlog() {
      const [row] = await query(sql`
        SELECT (SELECT count(*) FROM @webhook_deliveries WHERE state = 'queued') AS queued,
          (SELECT count(*) FROM @webhook_deliveries WHERE state = 'sending') AS sending
      `);
      return { queued: integer(row, 'queued'), sending: integer(row, 'sending') };
    },
    async findNextDue() {
      const rows = await query(sql`
        SELECT paused_until, (
          SELECT min(next_attempt_at) FROM @webhook_deliveries WHERE webhook_id = webhooks.id AND state = 'queued'
        ) AS due FROM @webhooks AS webhooks WHERE disabled_at IS NULL
      `);
      const times = rows.flatMap((row) => {
        const due = integerOrNull(row, 'due');
        return due === null ? [] : [Math.max(due, integer(row, 'paused_until'))];
      });
      return times.length === 0 ? null : Math.min(...times);
    },
    async prune(limit) {
      const removed = await write(
        () => sql`
          DELETE FROM @webhook_deliveries
          WHERE id IN (SELECT id FROM @webhook_deliveries ORDER BY id LIMIT ${limit}) AND at < ${clock() - DELIVERY_LOG_MS}
        `,
      );
      return removed.count;
    },
  };
}

function* findWebhook(id: string): Transaction<Webhook | null> {
  const [row] = yield* sql`SELECT * FROM @webhooks WHERE id = ${id}`;
  return row === undefined ? null : toWebhook(row);
}

function* findDelivery(id: string): Transaction<Row | undefined> {
  const [row] = yield* sql`${DELIVERY} WHERE id = ${parseRowId(id)} #lock`;
  return row;
}

function* saveDelivery(id: number, message: MessageRecord): Transaction<void> {
  const { state, attempts, next_attempt_at, lease_until, reason, changed_at } = message;
  yield* sql`
    UPDATE @webhook_deliveries SET state = ${state}, attempts = ${attempts}, next_attempt_at = ${next_attempt_at},
      lease_until = ${lease_until || null}, reason = ${reason}, changed_at = ${changed_at}
    WHERE id = ${id}
  `;
}

function* saveHealth(
  id: string,
  { failing_since, failures, paused_until, disabled_at }: EndpointHealth,
): Transaction<void> {
  yield* sql`
    UPDATE @webhooks SET failing_since = ${failing_since}, failures = ${failures}, paused_until = ${paused_until},
      disabled_at = ${disabled_at}
    WHERE id = ${id}
  `;
}

/** Fails the queued deliveries of a disabled endpoint. */
function* failQueued(webhookId: string, now: number): Transaction<void> {
  yield* sql`
    UPDATE @webhook_deliveries SET state = 'failed', reason = ${DISABLED_REASON}, changed_at = ${now}
    WHERE webhook_id = ${webhookId} AND state = 'queued'
  `;
}
