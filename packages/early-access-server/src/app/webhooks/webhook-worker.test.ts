import { signupOf } from '@early-access-kit/testkit/records';
import { HOUR_MS } from 'early-access-kit/internal';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runPendingWork, until } from '../../fixtures/mail-harness.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { EVERYONE } from '../people/people.ts';
import type { WebhookStore } from '../ports/webhook-store.ts';
import type { PostResult, WebhookRequest } from '../ports/webhook-transport.ts';
import { EVENT_TYPES } from './events.ts';
import { startWebhookWorker, webhookDeliveries } from './webhook-worker.ts';

const DELIVERED = { delivered: true, status: 200 } as const;
/** Receivers and queues. */
const delivers = () => DELIVERED;
const never = async () => null;
const DOWN = { delivered: false, reason: 'nothing listens there' } as const;

/** A store with an endpoint, and what makes its deliveries, with an adjustable clock and the test's receiver. */
async function harness(
  respond: (request: WebhookRequest) => PostResult | Promise<PostResult>,
  replaced: (webhooks: WebhookStore) => Partial<WebhookStore> = () => ({}),
) {
  const clock = { now: 1_700_000_000_000 };
  const { store } = tempStore({ clock: () => clock.now });
  const close = vi.fn();
  const log = vi.fn();
  const posted: { at: number; url: string; id: string; body: unknown }[] = [];
  const options = {
    store: { people: store.people, webhooks: { ...store.webhooks, ...replaced(store.webhooks) } },
    transport: {
      async post(request: WebhookRequest) {
        const { url, headers, body } = request;
        posted.push({ at: clock.now, url, id: headers['webhook-id'] ?? '', body: JSON.parse(body) });
        return respond(request);
      },
      close,
    },
    recipients: [],
    wakeMail: () => {},
    log,
    clock: () => clock.now,
  };
  const add = (name: string, format: 'json' | 'slack' | 'discord' = 'json') =>
    store.webhooks.add({ url: `https://${name}.example.com/`, secret: 'whsec_c2VjcmV0', format, events: EVENT_TYPES });
  const deliveries = webhookDeliveries(options);
  const runDue = () => deliveries.runDue(() => true);
  return { clock, store, close, log, posted, options, add, deliveries, runDue };
}

describe('webhookDeliveries', () => {
  it('sends each event with the person as they are now', async () => {
    const { store, posted, add, runDue } = await harness(delivers);
    await add('hooks');
    const signup = signupOf({ email: 'ada@example.org', utm_source: 'news' });
    await store.createSignup(signup);
    await runDue();
    const [person] = await Array.fromAsync(store.people.all(EVERYONE));
    const { id, source } = person ?? {};
    const timestamp = '2023-11-14T22:13:20.000Z';
    const state = 'subscribed';
    const data = { id, email: signup.email, state, source, referrer: null, created_at: timestamp, utm_source: 'news' };
    expect(posted.map(({ body }) => body)).toEqual([
      { type: 'signup.created', timestamp, data: expect.objectContaining(data) },
    ]);
    await store.erase(signup.email);
    await runDue();
    expect(posted.slice(1).map(({ body }) => body)).toEqual([{ type: 'person.erased', timestamp, data: { id } }]);
  });

  it('leaves a receiver alone for as long as it asks for', async () => {
    const { store, clock, posted, add, runDue } = await harness(() => ({ ...DOWN, retryAfter: '7200' }));
    await add('hooks');
    await store.createSignup(signupOf());
    await store.createSignup(signupOf());
    await runDue();
    const attempts = posted.length;
    clock.now += 2 * HOUR_MS - 1;
    await runDue();
    expect(posted).toHaveLength(attempts);
    clock.now += 1;
    await runDue();
    expect(posted.length).toBeGreaterThan(attempts);
  });

  it('sends an event again whose outcome could not be recorded', async () => {
    let isBroken = true;
    const { store, clock, posted, add, runDue, log } = await harness(delivers, ({ recordOutcome }) => ({
      recordOutcome: (...args) => (isBroken ? Promise.reject(new Error('disk full')) : recordOutcome(...args)),
    }));
    const { id: webhook } = await add('hooks');
    await store.createSignup(signupOf());
    await runDue();
    expect(log).toHaveBeenLastCalledWith('error', 'webhook-outcome-not-recorded', { webhook, reason: 'disk full' });
    isBroken = false;
    clock.now += 300_001;
    await runDue();
    expect(log).toHaveBeenCalledWith('warn', 'webhook-deliveries-expired', { deliveries: 1 });
    expect(posted).toHaveLength(2);
    expect(new Set(posted.map(({ id }) => id)).size).toBe(1);
  });

  it('logs each attempt, with what came of it', async () => {
    const results: PostResult[] = [DOWN, DELIVERED];
    const { store, clock, add, runDue, log } = await harness(() => results.shift() ?? DELIVERED);
    const { id: webhook, name } = await add('hooks');
    expect(name).toBe('hooks.example.com');
    await store.createSignup(signupOf());
    const [delivery] = await store.webhooks.deliveries(webhook, 1);
    const event_id = delivery?.event.id;
    await runDue();
    clock.now += HOUR_MS;
    await runDue();
    expect(log.mock.calls).toEqual([
      ['warn', 'webhook-not-sent', { webhook, name, event_id, attempts: 1, reason: DOWN.reason }],
      ['info', 'webhook-sent', { webhook, name, event_id, attempts: 2 }],
    ]);
  });

  it('makes at most eight deliveries at a time, and starts none once it must end', async () => {
    const response = Promise.withResolvers<PostResult>();
    const { store, posted, add, deliveries } = await harness(() => response.promise);
    for (let turn = 0; turn < 5; turn += 1) await add(`hooks-${turn}`);
    for (let turn = 0; turn < 3; turn += 1) await store.createSignup(signupOf());
    for (let turn = 0; turn < 8; turn += 1) expect(await deliveries.beginNext()).toBe(true);
    expect(await deliveries.beginNext()).toBe(false);
    expect(deliveries.inProgress.size).toBe(8);
    response.resolve(DELIVERED);
    await Promise.all(deliveries.inProgress);
    const permissions = [true, true];
    await deliveries.runDue(() => permissions.pop() ?? false);
    expect(posted).toHaveLength(10);
    expect(deliveries.inProgress.size).toBe(0);
  });

  it('tells the admin why a delivery is queued again, or failed without an attempt', async () => {
    const { clock, store, add, deliveries } = await harness(delivers);
    const { id } = await add('hooks');
    await store.createSignup(signupOf());
    await store.webhooks.claim();
    clock.now += HOUR_MS;
    await deliveries.tidy();
    expect(await store.webhooks.deliveries(id, 1)).toMatchObject([
      { state: 'queued', reason: 'the sending process ended' },
    ]);
    await store.webhooks.change(id, { enabled: false });
    expect(await store.webhooks.deliveries(id, 1)).toMatchObject([
      { state: 'failed', reason: 'the endpoint is disabled' },
    ]);
  });

  it('prunes the log once an hour, all that is old', async () => {
    const prune = vi.fn<WebhookStore['prune']>(async () => 3);
    prune.mockResolvedValueOnce(500).mockResolvedValueOnce(500);
    const { clock, deliveries, log } = await harness(delivers, () => ({ prune }));
    const callsAfter = async (ms: number) => {
      clock.now += ms;
      await deliveries.tidy();
      return prune.mock.calls.length;
    };
    expect([await callsAfter(0), await callsAfter(HOUR_MS - 1), await callsAfter(1)]).toEqual([3, 3, 4]);
    expect(log).not.toHaveBeenCalled();
  });
});

describe('startWebhookWorker', () => {
  it('is not held up by an endpoint that responds slowly', async () => {
    const slow = Promise.withResolvers<PostResult>();
    const { store, posted, add, options } = await harness(({ url }) =>
      url.includes('slow') ? slow.promise : DELIVERED,
    );
    const worker = startWebhookWorker(options);
    onTestFinished(() => worker.stop(0));
    await add('slow');
    await add('fast');
    for (let turn = 0; turn < 20; turn += 1) await store.createSignup(signupOf());
    worker.wake();
    const to = (name: string) => posted.filter(({ url }) => url.includes(name)).length;
    await until(() => expect(to('fast')).toBe(20));
    expect(to('slow')).toBe(2);
    slow.resolve(DELIVERED);
    await until(() => expect(to('slow')).toBe(20));
  });

  it('waits for what is in progress when it stops, and begins nothing more', async () => {
    const response = Promise.withResolvers<PostResult>();
    const { store, posted, add, options, close } = await harness(() => response.promise);
    const { id } = await add('hooks');
    await store.createSignup(signupOf());
    const worker = startWebhookWorker(options);
    await until(() => expect(posted).toHaveLength(1));
    const stopped = worker.stop(5_000);
    await store.createSignup(signupOf());
    response.resolve(DELIVERED);
    await stopped;
    expect(close).toHaveBeenCalledOnce();
    expect(await store.webhooks.deliveries(id, 10)).toMatchObject([
      { state: 'queued', attempts: 0 },
      { state: 'sent' },
    ]);
  });

  it('begins nothing if it is stopped while it looks for what is due', async () => {
    const due = Promise.withResolvers<number>();
    const [findNextDue, claim] = [vi.fn(() => due.promise), vi.fn<WebhookStore['claim']>()];
    const { options } = await harness(delivers, () => ({ findNextDue, claim }));
    const worker = startWebhookWorker(options);
    await until(() => expect(findNextDue).toHaveBeenCalled());
    const stopped = worker.stop(5_000);
    due.resolve(0);
    await stopped;
    expect(claim).not.toHaveBeenCalled();
  });

  it('continues after the store has failed', async () => {
    const findNextDue = vi.fn<WebhookStore['findNextDue']>().mockRejectedValueOnce(new Error('database is locked'));
    const { store, posted, add, options } = await harness(delivers, (webhooks) => ({
      findNextDue: findNextDue.mockImplementation(webhooks.findNextDue),
    }));
    await add('hooks');
    await store.createSignup(signupOf());
    const worker = startWebhookWorker(options);
    onTestFinished(() => worker.stop(0));
    await until(() => expect(findNextDue).toHaveBeenCalled());
    await until(() => {
      worker.wake();
      expect(posted).toHaveLength(1);
    });
  });
});

describe('the time of startWebhookWorker', () => {
  // Timers only fire when a test advances the time.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /**
   * A worker on a queue in which something is due after the milliseconds of `readDelay`, or with a store that fails
   * instead.
   */
  async function timed(respond: () => PostResult | Promise<PostResult>, readDelay: () => Promise<number | null>) {
    const claim = vi.fn<WebhookStore['claim']>();
    const findNextDue = vi.fn(async () => {
      const ms = await readDelay();
      return ms === null ? null : given.clock.now + ms;
    });
    const given = await harness(respond, (webhooks) => ({
      findNextDue,
      expireLeases: async () => 0,
      prune: async () => 0,
      claim: claim.mockImplementation(webhooks.claim),
    }));
    const worker = startWebhookWorker(given.options);
    onTestFinished(() => worker.stop(0));
    await runPendingWork();
    /** Calls of the function after each of these times. */
    const callsAfter = async (calls: () => number, times: readonly number[]) => {
      const counts: number[] = [];
      for (const ms of times) {
        await vi.advanceTimersByTimeAsync(ms);
        await runPendingWork();
        counts.push(calls());
      }
      return counts;
    };
    return { ...given, worker, claim, looks: () => findNextDue.mock.calls.length, callsAfter };
  }

  it('is that of the next delivery, and five seconds at most', async () => {
    const nothing = await timed(delivers, never);
    expect(await nothing.callsAfter(nothing.looks, [0, 4_999, 1])).toEqual([1, 1, 2]);
    nothing.worker.wake();
    expect(await nothing.callsAfter(nothing.looks, [0])).toEqual([3]);
    const soon = await timed(delivers, async () => 2_000);
    expect(await soon.callsAfter(soon.looks, [0, 1_999, 1])).toEqual([1, 1, 2]);
    expect(soon.claim).not.toHaveBeenCalled();
  });

  it('is 20 ms between two deliveries, and five seconds after the last, unless something is finished or happens', async () => {
    const response = Promise.withResolvers<PostResult>();
    const { store, add, worker, claim, callsAfter } = await timed(
      () => response.promise,
      async () => 0,
    );
    const { id } = await add('hooks');
    for (let turn = 0; turn < 3; turn += 1) await store.createSignup(signupOf());
    worker.wake();
    const claims = () => claim.mock.calls.length;
    const [before = 0] = await callsAfter(claims, [20]);
    const claimedAfter = async (times: readonly number[]) =>
      (await callsAfter(claims, times)).map((count) => count - before);
    expect(await claimedAfter([19, 1, 20, 20, 4_999, 1])).toEqual([0, 1, 2, 2, 2, 3]);
    // The endpoint is busy: a signup wakes the worker, but not more often.
    for (let turn = 0; turn < 3; turn += 1) {
      worker.wake();
      expect(await claimedAfter([10, 10])).toEqual([3 + turn, 4 + turn]);
      worker.wake();
      await runPendingWork();
    }
    response.resolve(DELIVERED);
    await callsAfter(claims, [20, 20]);
    expect((await store.webhooks.deliveries(id, 3)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
  });

  it('is five seconds after the store has failed, which is logged once for each reason until it works again', async () => {
    const failures = ['locked', 'locked', 'full', null, 'full'];
    const { log, looks, callsAfter } = await timed(delivers, async () => {
      const failure = failures.shift() ?? null;
      if (failure !== null) throw new Error(failure);
      return null;
    });
    expect(await callsAfter(looks, [0, 4_999, 1, 5_000, 5_000, 5_000, 5_000])).toEqual([1, 1, 2, 3, 4, 5, 6]);
    expect(log.mock.calls).toEqual(
      ['locked', 'full', 'full'].map((reason) => ['error', 'webhook-queue-failed', { reason }]),
    );
  });

  it.each([
    [5_000, 1_000],
    [100, 100],
  ])('to stop is %i ms, plus %i ms for the outcome of a delivery that was cut off', async (withinMs, cutOffMs) => {
    const { store, add, worker, posted, close } = await timed(
      () => new Promise(() => {}),
      async () => 0,
    );
    await add('hooks');
    await store.createSignup(signupOf());
    worker.wake();
    await vi.advanceTimersByTimeAsync(20);
    await runPendingWork();
    expect(posted).toHaveLength(1);
    let isStopped = false;
    const stopped = worker.stop(withinMs).then(() => {
      isStopped = true;
    });
    for (const ms of [withinMs, cutOffMs - 1]) await vi.advanceTimersByTimeAsync(ms);
    expect([close.mock.calls.length, isStopped]).toEqual([1, false]);
    await vi.advanceTimersByTimeAsync(1);
    await stopped;
  });

  it('to stop is none if nothing is in progress', async () => {
    const { worker } = await timed(delivers, never);
    await worker.stop(5_000);
  });
});
