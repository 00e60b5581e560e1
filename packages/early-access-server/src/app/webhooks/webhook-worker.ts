import { HOUR_MS } from 'early-access-kit/internal';
import { pause, within } from '../jobs/background.ts';
import type { RunningJob } from '../jobs/jobs.ts';
import { toMessageOutcome } from '../mail/message-state.ts';
import { wakeSignal } from '../mail/wake-signal.ts';
import type { Clock } from '../ports/clock.ts';
import { describeError, type Log } from '../ports/log.ts';
import type { PeopleStore } from '../ports/people-store.ts';
import type { ClaimedDelivery, WebhookStore } from '../ports/webhook-store.ts';
import type { PostResult, WebhookTransport } from '../ports/webhook-transport.ts';
import type { EndpointOutcome } from './endpoint.ts';
import { parseRetryAfter } from './retry-after.ts';
import { webhookRequest } from './webhook-request.ts';

const CONCURRENCY = 8;
/** Parallel deliveries per endpoint, so that a slow one does not block the others. */
const MAX_PER_ENDPOINT = 2;
/** The minimum time between claims. In a rush, every signup wakes the worker but needs the CPU itself. */
const PACE_MS = 20;
/** How often the queue is read without a wake, because other processes may record events. */
const LOOK_INTERVAL_MS = 5_000;
const PRUNE_BATCH = 500;
/** How long to wait for the outcome of an aborted delivery. */
const CUT_OFF_MS = 1_000;

export interface WebhookWorkerOptions {
  readonly store: { readonly webhooks: WebhookStore; readonly people: Pick<PeopleStore, 'find'> };
  readonly transport: WebhookTransport;
  /** The admins who get a notice when an endpoint was disabled after a day of failures. */
  readonly recipients: readonly string[];
  /** Called after a notice was queued. */
  readonly wakeMail: () => void;
  readonly log: Log;
  readonly clock: Clock;
  /** Called once the outcome of an attempt has been recorded. */
  readonly onOutcome?: ((state: EndpointOutcome['state']) => void) | undefined;
}

/** Delivers queued events. `onFinished` is called after each delivery. */
export function webhookDeliveries(options: WebhookWorkerOptions, onFinished = () => {}) {
  const { store, transport, recipients, wakeMail, log, clock, onOutcome } = options;
  const { webhooks, people } = store;
  const inProgress = new Set<Promise<void>>();
  const perEndpoint = new Map<string, number>();
  let prunedAt = Number.NEGATIVE_INFINITY;

  async function deliver({ webhook, event, ...delivery }: ClaimedDelivery): Promise<void> {
    const { attempts } = delivery;
    const request = webhookRequest(webhook, event, await people.find(event.person), clock());
    const result = await transport.post(request);
    const outcome = toOutcome(result, attempts, clock());
    const fields = { webhook: webhook.id, name: webhook.name, event_id: event.id, attempts };
    if (outcome.state === 'sent') log('info', 'webhook-sent', fields);
    else log('warn', 'webhook-not-sent', { ...fields, reason: outcome.reason });
    const recorded = await webhooks.recordOutcome({ webhook, event, ...delivery }, outcome, recipients);
    onOutcome?.(outcome.state);
    if (recorded === 'recorded' || outcome.state === 'sent') return;
    log('error', 'webhook-disabled', { webhook: webhook.id, name: webhook.name, reason: outcome.reason });
    wakeMail();
  }

  function begin(delivery: ClaimedDelivery): void {
    const { webhook_id: id } = delivery;
    const count = (change: number) => perEndpoint.set(id, (perEndpoint.get(id) ?? 0) + change);
    count(1);
    // If recording the outcome fails, the lease ends and the event is sent again.
    const done = deliver(delivery)
      .catch((error) => log('error', 'webhook-outcome-not-recorded', { webhook: id, reason: describeError(error) }))
      .finally(() => {
        count(-1);
        inProgress.delete(done);
        onFinished();
      });
    inProgress.add(done);
  }

  /** Claims a delivery and starts it. Returns false if nothing is due, or enough deliveries are in progress. */
  async function beginNext(): Promise<boolean> {
    if (inProgress.size >= CONCURRENCY) return false;
    const busy = [...perEndpoint].filter(([, deliveries]) => deliveries >= MAX_PER_ENDPOINT).map(([id]) => id);
    const delivery = await webhooks.claim(busy);
    if (delivery !== null) begin(delivery);
    return delivery !== null;
  }

  async function tidy(): Promise<void> {
    const expired = await webhooks.expireLeases();
    if (expired > 0) log('warn', 'webhook-deliveries-expired', { deliveries: expired });
    if (clock() - prunedAt < HOUR_MS) return;
    prunedAt = clock();
    while ((await webhooks.prune(PRUNE_BATCH)) === PRUNE_BATCH);
  }

  return {
    beginNext,
    inProgress,
    tidy,
    /**
     * Delivers until nothing is due. Starts nothing once `mayBegin` returns false. Runs may overlap. Rejects if the
     * store fails.
     */
    async runDue(mayBegin: () => boolean): Promise<void> {
      await tidy();
      while (mayBegin()) {
        if (await beginNext()) continue;
        if (inProgress.size === 0) return;
        await Promise.race(inProgress);
      }
      await Promise.all(inProgress);
    },
  };
}

function toOutcome(result: PostResult, attempts: number, now: number): EndpointOutcome {
  if (result.delivered) return { state: 'sent' };
  const { reason, retryAfter } = result;
  const outcome = toMessageOutcome({ outcome: 'refused', refusal: 'later', reason }, attempts, now);
  return { ...outcome, notBefore: parseRetryAfter(retryAfter, now) };
}

/** Delivers for as long as the process runs. Deliveries aborted by a stop are sent again later. */
export function startWebhookWorker(options: WebhookWorkerOptions): RunningJob {
  const { store, transport, log, clock } = options;
  const signal = wakeSignal();
  // An endpoint that was busy may have more deliveries waiting.
  const { beginNext, inProgress, tidy } = webhookDeliveries(options, () => signal.wake());
  let isOpen = true;
  /** Why the store last failed; null once it works again. */
  let failure: string | null = null;

  async function work(): Promise<void> {
    while (isOpen) {
      const seen = signal.count;
      const waitMs = await look();
      if (waitMs > 0) await signal.wait(seen, waitMs);
    }
  }

  /** Starts the next delivery, if there is one. Returns the milliseconds until the queue should be read again. */
  async function look(): Promise<number> {
    try {
      await tidy();
      const dueAt = (await store.webhooks.findNextDue()) ?? Number.POSITIVE_INFINITY;
      failure = null;
      const waitMs = dueAt - clock();
      if (waitMs > 0) return Math.min(LOOK_INTERVAL_MS, waitMs);
      if (!isOpen) return LOOK_INTERVAL_MS;
      const started = await beginNext();
      await pause(PACE_MS);
      return started ? 0 : LOOK_INTERVAL_MS;
    } catch (error) {
      const reason = describeError(error);
      if (reason !== failure) log('error', 'webhook-queue-failed', { reason });
      failure = reason;
      return LOOK_INTERVAL_MS;
    }
  }

  const running = work();
  const finished = async () => {
    await running;
    await Promise.all(inProgress);
  };

  return {
    wake: () => signal.wake(),
    async stop(withinMs) {
      isOpen = false;
      signal.wake();
      await within(withinMs, finished());
      transport.close();
      await within(Math.min(CUT_OFF_MS, withinMs), finished());
    },
  };
}
