import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { retryDelay } from '../app/mail/message-state.ts';
import type { ClaimedMessage } from '../app/ports/store.ts';
import { type ClaimedDelivery, DELIVERY_LOG_MS, type WebhookStore } from '../app/ports/webhook-store.ts';
import { DISABLED_REASON } from '../app/webhooks/endpoint.ts';
import { EVENT_TYPES, type EventType } from '../app/webhooks/events.ts';
import { exampleSignup } from './examples.ts';
import { LEASE_MS, NOW, claim as nextMessage, type SetUp } from './harness.ts';

const REASON = 'the endpoint responded 500';
const ADMINS = ['ada@example.com', 'bob@example.com'];

const endpoint = (events: readonly EventType[] = EVENT_TYPES) =>
  ({ url: 'https://hooks.example.com/list', secret: 'whsec_c2VjcmV0', format: 'json', events }) as const;

async function claim(webhooks: WebhookStore, busy?: readonly string[]): Promise<ClaimedDelivery> {
  const claimed = await webhooks.claim(busy);
  if (claimed === null) throw new Error('nothing is due');
  return claimed;
}

const deferred = (retryAt: number) => ({ state: 'queued', retryAt, reason: REASON }) as const;
const fail = (webhooks: WebhookStore, delivery: ClaimedDelivery, retryAt: number) =>
  webhooks.recordOutcome(delivery, deferred(retryAt), ADMINS);

/** Tests endpoints, the events that a store records for them, and their queue. */
export function webhooksContract(openStore: SetUp): void {
  async function setUp() {
    const harness = await openStore();
    return { ...harness, webhooks: harness.store.webhooks };
  }

  /** An endpoint with the event of a signup. */
  async function withEvent() {
    const harness = await setUp();
    const { id } = await harness.webhooks.add(endpoint());
    await harness.store.createSignup(exampleSignup());
    return { ...harness, id };
  }

  describe('webhooks: endpoints', () => {
    it('are added, changed and removed, the oldest first', async () => {
      const { webhooks } = await setUp();
      const first = await webhooks.add(endpoint());
      expect(first).toMatchObject({
        ...endpoint(),
        name: 'hooks.example.com',
        created_at: NOW,
        failing_since: null,
        disabled_at: null,
      });
      const second = await webhooks.add({ ...endpoint(['signup.created']), format: 'slack' });
      expect(await webhooks.list()).toEqual([first, second]);
      const changes = { url: 'https://other.example.com/', format: 'discord', events: ['person.erased'] } as const;
      expect(await webhooks.change(first.id, changes)).toBe(true);
      // If the name is the host, it follows the URL.
      expect(await webhooks.list()).toEqual([{ ...first, ...changes, name: 'other.example.com' }, second]);
      expect(await webhooks.remove(second.id)).toBe(true);
      expect(await webhooks.remove(second.id)).toBe(false);
      expect(await webhooks.change(second.id, { enabled: true })).toBe(false);
      // No store has such an id. On Firestore it would be the path of another document.
      expect([await webhooks.change('a/b', { enabled: true }), await webhooks.remove('a/b')]).toEqual([false, false]);
      expect(await webhooks.list()).toHaveLength(1);
    });

    it('are named by the admin, or by their host', async () => {
      const { store, webhooks, open } = await setUp();
      const { id, name } = await webhooks.add({ ...endpoint(), name: 'CRM' });
      expect([name, (await webhooks.add(endpoint())).name]).toEqual(['CRM', 'hooks.example.com']);
      await webhooks.change(id, { url: 'https://other.example.com/' });
      expect((await webhooks.list()).map((webhook) => webhook.name)).toEqual(['CRM', 'hooks.example.com']);
      await webhooks.change(id, { name: '' });
      await store.createSignup(exampleSignup());
      expect((await claim(open().webhooks)).webhook).toMatchObject({ id, name: 'other.example.com' });
    });

    it('take their deliveries with them', async () => {
      const { webhooks, id } = await withEvent();
      await webhooks.remove(id);
      expect(await webhooks.deliveries(id, 10)).toEqual([]);
      expect(await webhooks.claim()).toBeNull();
      expect(await webhooks.findNextDue()).toBeNull();
    });
  });

  describe('webhooks: events', () => {
    it('are recorded once per endpoint that wants them, with one id', async () => {
      const { store, webhooks } = await setUp();
      const signup = exampleSignup();
      await store.createSignup(exampleSignup());
      const all = await webhooks.add(endpoint());
      const some = await webhooks.add(endpoint(['signup.created', 'signup.confirmed']));
      const none = await webhooks.add(endpoint(['person.erased']));
      await Promise.all(Array.from({ length: 20 }, () => store.createSignup(signup)));
      const [delivery, ...others] = await webhooks.deliveries(all.id, 10);
      expect(others).toEqual([]);
      expect(delivery).toMatchObject({ webhook_id: all.id, state: 'queued', attempts: 0, next_attempt_at: NOW });
      expect(delivery?.event).toMatchObject({ type: 'signup.created', at: NOW });
      expect(await webhooks.deliveries(some.id, 10)).toMatchObject([{ event: delivery?.event }]);
      expect(await webhooks.deliveries(none.id, 10)).toEqual([]);
      expect(await store.people.find(delivery?.event.person ?? '')).toMatchObject({ email: signup.email });
    });

    it('say whom an admin adds, and are not recorded for the people of a file', async () => {
      const { store, webhooks } = await setUp();
      const { id } = await webhooks.add(endpoint());
      const person = (email: string) => ({ email, source: 'admin', state: 'subscribed', created_at: NOW }) as const;
      await store.list.importPeople([person('file@example.org')], { welcome: false });
      await store.list.importPeople([person('added@example.org')], { welcome: false, isByHand: true });
      await store.list.importPeople([person('added@example.org')], { welcome: false, isByHand: true });
      const [delivery, ...others] = await webhooks.deliveries(id, 10);
      expect(others).toEqual([]);
      expect(delivery?.event).toMatchObject({ type: 'signup.created', at: NOW });
      expect(await store.people.find(delivery?.event.person ?? '')).toMatchObject({ email: 'added@example.org' });
    });

    it('of an erased person leave nothing but that they were erased', async () => {
      const { store, webhooks } = await setUp();
      const signup = exampleSignup();
      const { id } = await webhooks.add(endpoint());
      await store.createSignup(signup);
      const created = await claim(webhooks);
      await store.erase(signup.email);
      await webhooks.recordOutcome(created, { state: 'sent' }, ADMINS);
      expect(await webhooks.deliveries(id, 10)).toMatchObject([
        { state: 'queued', event: { type: 'person.erased', person: created.event.person } },
      ]);
      expect(JSON.stringify(await claim(webhooks))).not.toContain(signup.email);
      await store.createSignup(signup);
      await store.erase(signup.email);
      const left = await webhooks.deliveries(id, 10);
      expect(left.map(({ event }) => event.type)).toEqual(['person.erased', 'person.erased']);
    });
  });

  describe('webhooks: deliveries', () => {
    it('are claimed by one of many callers in two processes, the one due longest first', async () => {
      const { store, open, webhooks, clock } = await setUp();
      const other = open().webhooks;
      const { id } = await webhooks.add(endpoint());
      for (let turn = 0; turn < 10; turn += 1) {
        await store.createSignup(exampleSignup());
        clock.now += 1;
      }
      const first = await claim(webhooks);
      expect(first).toMatchObject({ state: 'sending', attempts: 1, webhook: { id, secret: endpoint().secret } });
      expect(first.event.at).toBe(NOW);
      const claims = await Promise.all(
        Array.from({ length: 30 }, (_, turn) => (turn % 2 ? webhooks : other).claim().catch(() => null)),
      );
      const ids = claims.flatMap((claimed) => (claimed === null ? [] : [claimed.id]));
      expect(new Set(ids).size).toBe(ids.length);
      let left = 9 - ids.length;
      for (; (await webhooks.claim()) !== null; left -= 1);
      expect(left).toBe(0);
    });

    it('are claimed in the order in which they are due, whichever endpoint they are for', async () => {
      const { store, webhooks, clock } = await setUp();
      const signup = exampleSignup();
      await store.createSignup(signup);
      const later = await webhooks.add(endpoint(['person.erased']));
      const sooner = await webhooks.add(endpoint(['signup.created']));
      await store.createSignup(exampleSignup());
      clock.now += 1;
      await store.erase(signup.email);
      expect(await webhooks.findNextDue()).toBe(NOW);
      expect(await claim(webhooks)).toMatchObject({ webhook_id: sooner.id });
      expect(await claim(webhooks)).toMatchObject({ webhook_id: later.id });
    });

    it('leave out endpoints that the caller is busy with', async () => {
      const { store, webhooks } = await setUp();
      const [slow, fast] = [await webhooks.add(endpoint()), await webhooks.add(endpoint())];
      await store.createSignup(exampleSignup());
      expect(await claim(webhooks, [slow.id])).toMatchObject({ webhook_id: fast.id });
      expect(await webhooks.claim([slow.id])).toBeNull();
      expect(await claim(webhooks)).toMatchObject({ webhook_id: slow.id });
    });

    it('are over once they were sent', async () => {
      const { webhooks, id } = await withEvent();
      expect(await webhooks.findNextDue()).toBe(NOW);
      const claimed = await claim(webhooks);
      expect(await webhooks.recordOutcome(claimed, { state: 'sent' }, ADMINS)).toBe('recorded');
      expect(await fail(webhooks, claimed, NOW)).toBe('recorded');
      expect(await webhooks.deliveries(id, 10)).toMatchObject([{ state: 'sent', attempts: 1, reason: null }]);
      expect(await webhooks.findNextDue()).toBeNull();
    });

    it('pause the endpoint after a failure, longer each time, until one succeeds', async () => {
      const { store, webhooks, clock } = await withEvent();
      await store.createSignup(exampleSignup());
      for (const failures of [1, 2, 3]) {
        expect(await fail(webhooks, await claim(webhooks), clock.now)).toBe('recorded');
        expect(await webhooks.list()).toMatchObject([{ failing_since: NOW, failures }]);
        expect(await webhooks.claim()).toBeNull();
        expect(await webhooks.findNextDue()).toBe(clock.now + retryDelay(failures));
        clock.now += retryDelay(failures);
      }
      await webhooks.recordOutcome(await claim(webhooks), { state: 'sent' }, ADMINS);
      expect(await webhooks.list()).toMatchObject([{ failing_since: null, failures: 0, paused_until: 0 }]);
      expect(await webhooks.claim()).not.toBeNull();
    });

    it('wait until the time that their receiver asks for', async () => {
      const { store, webhooks, clock } = await withEvent();
      await store.createSignup(exampleSignup());
      const notBefore = clock.now + HOUR_MS;
      await webhooks.recordOutcome(await claim(webhooks), { ...deferred(clock.now), notBefore }, ADMINS);
      expect(await webhooks.findNextDue()).toBe(notBefore);
      clock.now = notBefore - 1;
      expect(await webhooks.claim()).toBeNull();
      clock.now = notBefore;
      expect(await webhooks.claim()).not.toBeNull();
    });

    it('are queued again if the process ended, and a late outcome changes nothing', async () => {
      const { webhooks, clock, id } = await withEvent();
      const lost = await claim(webhooks);
      expect(await webhooks.expireLeases()).toBe(0);
      clock.now += LEASE_MS + 1;
      expect(await webhooks.expireLeases()).toBe(1);
      const again = await claim(webhooks);
      expect(again).toMatchObject({ id: lost.id, attempts: 2, event: lost.event });
      await webhooks.recordOutcome(lost, { state: 'failed', reason: REASON }, ADMINS);
      expect(await webhooks.deliveries(id, 10)).toMatchObject([{ state: 'sending' }]);
    });

    it('are sent again if the admin wants it, with the same event', async () => {
      const { webhooks, id } = await withEvent();
      const sent = await claim(webhooks);
      expect(await webhooks.resend(sent.id)).toBe(false);
      await webhooks.recordOutcome(sent, { state: 'sent' }, ADMINS);
      expect(await webhooks.resend(sent.id)).toBe(true);
      expect(await claim(webhooks)).toMatchObject({ id: sent.id, event: sent.event, attempts: 1 });
      expect([await webhooks.resend('unknown'), await webhooks.resend('a/b')]).toEqual([false, false]);
      expect(await webhooks.deliveries(id, 10)).toHaveLength(1);
    });

    it('are sent again at once, also while their endpoint is paused', async () => {
      const { webhooks, clock } = await withEvent();
      const sent = await claim(webhooks);
      await fail(webhooks, sent, clock.now);
      expect(await webhooks.claim()).toBeNull();
      expect(await webhooks.resend(sent.id)).toBe(true);
      expect(await webhooks.findNextDue()).toBe(clock.now);
      await fail(webhooks, await claim(webhooks), clock.now);
      expect(await webhooks.list()).toMatchObject([{ failures: 2, failing_since: clock.now }]);
      expect(await webhooks.claim()).toBeNull();
    });

    it('are deleted after 30 days', async () => {
      const { store, webhooks, clock } = await setUp();
      const { id } = await webhooks.add(endpoint());
      for (let turn = 0; turn < 3; turn += 1) await store.createSignup(exampleSignup());
      clock.now += DELIVERY_LOG_MS;
      await store.createSignup(exampleSignup());
      expect(await webhooks.prune(10)).toBe(0);
      clock.now += 1;
      expect(await webhooks.prune(2)).toBe(2);
      expect(await webhooks.prune(2)).toBe(1);
      expect(await webhooks.prune(2)).toBe(0);
      expect(await webhooks.deliveries(id, 10)).toHaveLength(1);
    });
  });

  describe('webhooks: disabled endpoints', () => {
    it('have one notice to each admin, whichever process records the last failure', async () => {
      const { store, webhooks, clock, open } = await setUp();
      const { name } = await webhooks.add(endpoint());
      for (let turn = 0; turn < 3; turn += 1) await store.createSignup(exampleSignup());
      const deliveries = [await claim(webhooks), await claim(webhooks), await claim(webhooks)] as const;
      await fail(webhooks, deliveries[0], NOW);
      clock.now = NOW + DAY_MS;
      const others = [webhooks, open().webhooks];
      const recorded = await Promise.all(
        deliveries.slice(1).map((one, at) => fail(others[at] ?? webhooks, one, clock.now)),
      );
      expect(recorded.toSorted()).toEqual(['disabled', 'recorded']);
      const notices: ClaimedMessage[] = [];
      for (let message = await nextMessage(store); message !== null; message = await nextMessage(store)) {
        if (message.kind === 'notice') notices.push(message);
      }
      expect(notices.map(({ email }) => email).toSorted()).toEqual(ADMINS);
      const notice = { type: 'webhook-disabled', endpoint: name, reason: REASON };
      expect(notices).toMatchObject([{ notice }, { notice }]);
    });

    it('are the ones that failed for a day; once enabled they get the events of the last day', async () => {
      const { store, webhooks, clock, id } = await withEvent();
      await fail(webhooks, await claim(webhooks), NOW);
      clock.now = NOW + DAY_MS - 1;
      await store.createSignup(exampleSignup());
      expect(await fail(webhooks, await claim(webhooks), clock.now)).toBe('recorded');
      clock.now += HOUR_MS;
      expect(await fail(webhooks, await claim(webhooks), clock.now)).toBe('disabled');
      expect(await webhooks.list()).toMatchObject([{ failing_since: NOW, disabled_at: clock.now }]);
      await store.createSignup(exampleSignup());
      const failed = { state: 'failed', reason: DISABLED_REASON };
      const stored = await webhooks.deliveries(id, 10);
      expect(stored).toMatchObject([failed, failed, failed]);
      expect(await webhooks.findNextDue()).toBeNull();
      expect(await webhooks.resend(stored[0]?.id ?? '')).toBe(false);

      expect(await webhooks.change(id, { enabled: true })).toBe(true);
      expect(await webhooks.list()).toMatchObject([{ failing_since: null, disabled_at: null }]);
      expect(await webhooks.deliveries(id, 10)).toMatchObject([
        { state: 'queued', attempts: 0 },
        { state: 'queued', attempts: 0 },
        failed,
      ]);
      expect(await webhooks.findNextDue()).toBe(clock.now);
    });

    it('get nothing while the admin has them disabled', async () => {
      const { store, webhooks, clock, id } = await withEvent();
      const inProgress = await claim(webhooks);
      await store.createSignup(exampleSignup());
      expect(await webhooks.backlog()).toEqual({ queued: 1, sending: 1 });
      expect(await webhooks.change(id, { enabled: false })).toBe(true);
      expect(await webhooks.list()).toMatchObject([{ disabled_at: NOW }]);
      expect(await webhooks.backlog()).toEqual({ queued: 0, sending: 1 });
      const states = (await webhooks.deliveries(id, 10)).map(({ state }) => state);
      expect(states.toSorted()).toEqual(['failed', 'sending']);
      expect(await fail(webhooks, inProgress, clock.now)).toBe('recorded');
      expect([await webhooks.claim(), await webhooks.findNextDue()]).toEqual([null, null]);
      const failed = [{ state: 'failed' }, { state: 'failed' }];
      expect(await webhooks.deliveries(id, 10)).toMatchObject(failed);
      expect(await webhooks.change(id, { events: EVENT_TYPES })).toBe(true);
      expect(await webhooks.deliveries(id, 10)).toMatchObject(failed);
    });

    it('start anew with another URL', async () => {
      const { webhooks, id } = await withEvent();
      await fail(webhooks, await claim(webhooks), NOW + HOUR_MS);
      await webhooks.change(id, { events: ['signup.created'] });
      expect(await webhooks.deliveries(id, 10)).toMatchObject([{ next_attempt_at: NOW + HOUR_MS }]);
      expect(await webhooks.claim()).toBeNull();
      await webhooks.change(id, { url: 'https://fixed.example.com/' });
      expect(await claim(webhooks)).toMatchObject({ webhook: { url: 'https://fixed.example.com/', failures: 0 } });
    });
  });
}
