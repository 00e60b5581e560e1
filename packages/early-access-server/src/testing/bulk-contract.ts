import { describe, expect, it } from 'vitest';
import { BULK_LEASE_MS, type BulkAction, type BulkRecord, changeBulk, startBulk } from '../app/people/bulk.ts';
import { type BulkContext, runBulk } from '../app/people/bulk-job.ts';
import { MAX_LABELS } from '../app/people/labels.ts';
import { EVERYONE, type PeopleFilter, type PersonRecord } from '../app/people/people.ts';
import type { Segment } from '../app/people/segment.ts';
import type { Store } from '../app/ports/store.ts';
import { exampleSignup } from './examples.ts';
import { claimed, linkHash, NOW, type SetUp } from './harness.ts';

const AUTHOR = { session: 'one', admin: 'admin@x.io' };
const VIP = { add: ['VIP'], remove: [] };

/** Tests labels, and actions on everyone who matches a filter. */
export function bulkContract(setUp: SetUp): void {
  describe('labels', () => {
    it('are stored with a person in any state, listed, found by conditions and erased', async () => {
      const { store, clock, open } = await setUp();
      const { list, people } = store;
      for (const name of ['a', 'b', 'c', 'd']) await signUp(store, clock, name);
      expect(await list.changeLabels('a@x.io', { add: ['VIP', 'Press'], remove: ['none'] })).toBe('changed');
      expect(await list.changeLabels('a@x.io', VIP)).toBe('unchanged');
      expect(await list.changeLabels('b@x.io', { add: ['VIP 2'], remove: [] })).toBe('changed');
      expect(await list.changeLabels('c@x.io', { add: ['VIP', 'x'], remove: [] })).toBe('changed');
      expect(await list.changeLabels('c@x.io', { add: [], remove: ['x', 'VIP'] })).toBe('changed');
      expect(await list.changeLabels('nobody@x.io', VIP)).toBe('gone');
      const many = Array.from({ length: MAX_LABELS }, (_, index) => `l${index}`);
      expect(await list.changeLabels('a@x.io', { add: many, remove: [] })).toBe('full');
      await list.changePerson('a@x.io', 'unsubscribe', 'admin');
      expect(await open().people.labels()).toEqual(['Press', 'VIP', 'VIP 2']);
      const found: Readonly<Record<string, NonNullable<Segment['texts']>>> = {
        a: [{ of: 'labels', test: 'any', values: ['VIP', 'other'] }],
        ab: [{ of: 'labels', test: 'part', values: ['vip'] }],
        bcd: [{ of: 'labels', test: 'none', values: ['Press'] }],
        cd: [{ of: 'labels', test: 'none', values: [] }],
        b: [
          { of: 'labels', test: 'any', values: [] },
          { of: 'labels', test: 'none', values: ['Press'] },
        ],
      };
      for (const [names, texts] of Object.entries(found)) {
        const segment = { conditions: { texts }, at: clock.now };
        expect(await listNames(store, { ...EVERYONE, segment })).toBe(names);
      }
      const [a] = await Array.fromAsync(people.all(EVERYONE));
      expect(a?.labels).toEqual(['Press', 'VIP']);
      expect((await people.find(a?.id ?? ''))?.labels).toEqual(['Press', 'VIP']);
      // They sign up again and are the same person.
      await store.createSignup(exampleSignup({ email: 'a@x.io' }));
      expect((await people.find(a?.id ?? ''))?.labels).toEqual(['Press', 'VIP']);
      await store.erase('a@x.io');
      expect(await people.labels()).toEqual(['VIP 2']);
    });

    it('come with an import', async () => {
      const { store } = await setUp();
      const person = { source: 'x', created_at: NOW, state: 'subscribed' } as const;
      const imported = [
        { ...person, email: 'a@x.io', labels: ['Press', 'VIP'] },
        { ...person, email: 'b@x.io' },
      ];
      await store.list.importPeople(imported, { welcome: false });
      const [a, b] = await Array.fromAsync(store.people.all(EVERYONE));
      expect([a?.labels, b?.labels]).toEqual([['Press', 'VIP'], undefined]);
    });
  });

  describe('an action on everyone who matches', () => {
    it('reaches everyone once, and nobody who comes later', async () => {
      const { store, clock, open } = await setUp();
      for (let number = 0; number < 25; number += 1)
        await signUp(store, clock, `p${number}`, number % 5 === 0 ? 'fair' : 'blog');
      const started = await begin(store, clock, 'label', { ...EVERYONE, source: 'blog' });
      expect(started).toMatchObject({ number: 1, state: 'running', started_at: clock.now });
      expect(await begin(open(), clock, 'forget', EVERYONE)).toBe('busy');
      clock.now += 1;
      await signUp(store, clock, 'later', 'blog');
      await run({ store: open(), clock });
      expect(await newest(store)).toMatchObject({ state: 'done', collected: 20, done: 20, unchanged: 0, filter: null });
      const segment = {
        conditions: { texts: [{ of: 'labels', test: 'any', values: ['VIP'] }] },
        at: clock.now,
      } as const;
      expect(await store.people.count({ ...EVERYONE, segment })).toEqual({ count: 20, is_partial: false });
      expect((await store.admin.audit(9))[0]).toMatchObject({ ...AUTHOR, action: 'label', count: 20 });
      expect(await store.bulk.part(1, 0)).toEqual([]);
    });

    it('is fixed once its people are collected, and does not change those for whom it is not possible', async () => {
      const { store, clock } = await setUp();
      for (const name of ['a', 'b', 'c']) await signUp(store, clock, name);
      await store.list.changePerson('b@x.io', 'unsubscribe', 'admin');
      clock.now += 1_000;
      await begin(store, clock, 'unsubscribe', { ...EVERYONE });
      await run({ store, clock }, 1);
      expect(await newest(store)).toMatchObject({ collected: 3, done: 0, filter: null });
      // Nobody replaces an erased person.
      await signUp(store, clock, 'd');
      await store.erase('c@x.io');
      await run({ store, clock });
      expect(await newest(store)).toMatchObject({ state: 'done', done: 1, unchanged: 2 });
      expect(await listNames(store, { ...EVERYONE, state: 'unsubscribed' })).toBe('ab');
    });

    it('continues after a crash, and does nothing twice to those who came back meanwhile', async () => {
      const { store, clock, open } = await setUp({ mailsPerHour: 1_000 });
      for (const name of ['a', 'b', 'c']) await signUp(store, clock, name);
      await begin(store, clock, 'unsubscribe', EVERYONE);
      clock.now += 1_000;
      await run({ store, clock }, 1);
      // The second person's change fails, and so do all later ones.
      let isDead = false;
      const dying = new Proxy(open(), {
        get(target, name) {
          if (isDead) throw new Error('the process has ended');
          if (name === 'list') {
            const changed = { ...target.list };
            return {
              ...changed,
              changePerson: async (email: string, event: 'unsubscribe', by: 'admin') => {
                await target.list.changePerson(email, event, by);
                isDead = email === 'b@x.io';
              },
            };
          }
          return Reflect.get(target, name);
        },
      });
      await expect(run({ store: dying, clock })).rejects.toThrow('has ended');
      expect(await listNames(store, { ...EVERYONE, state: 'unsubscribed' })).toBe('ab');
      expect(await newest(store)).toMatchObject({ state: 'running', done: 0 });
      clock.now += 1_000;
      await store.createSignup(exampleSignup({ email: 'a@x.io' }));
      let message = await claimed(store);
      while (message.email !== 'a@x.io') message = await claimed(store);
      await store.list.confirm(linkHash(message), null);
      // Another process waits until the lease has ended.
      await run({ store, clock });
      expect(await newest(store)).toMatchObject({ done: 0 });
      clock.now += BULK_LEASE_MS;
      await run({ store, clock });
      expect(await newest(store)).toMatchObject({ state: 'done', done: 3 });
      expect(await listNames(store, { ...EVERYONE, state: 'subscribed' })).toBe('a');
    });

    it('invites in one wave, each once', async () => {
      const { store, clock } = await setUp({ mailsPerHour: 1_000 });
      for (const name of ['a', 'b', 'c', 'd']) await signUp(store, clock, name);
      await store.list.changePerson('d@x.io', 'bounce', 'admin');
      await begin(store, clock, 'invite', EVERYONE);
      await run({ store, clock });
      expect(await newest(store)).toMatchObject({ state: 'done', done: 3, unchanged: 1, wave: '1' });
      expect(await store.list.waves(9)).toMatchObject([{ id: '1', people: 3, queued: 3 }]);
      expect(await store.list.invite({ after: '1', into: '1', who: { ids: [] } })).toBe('nobody');
      await signUp(store, clock, 'e');
      const [e] = await Array.fromAsync(store.people.all({ ...EVERYONE, search: 'e@x.io' }));
      expect(await store.list.invite({ after: '1', into: '1', who: { ids: [e?.id ?? ''] } })).toMatchObject({
        id: '1',
        people: 4,
      });
      expect(await store.list.waves(9)).toMatchObject([{ id: '1', people: 4, queued: 4 }]);
    });

    it('erases, can be paused, resumed and cancelled, and leaves no ids', async () => {
      const { store, clock, open, signups } = await setUp();
      for (let number = 0; number < 22; number += 1) await signUp(store, clock, `p${number}`);
      await begin(store, clock, 'forget', EVERYONE);
      await run({ store, clock }, 2);
      const change = (to: 'running' | 'paused' | 'cancelled') =>
        open().bulk.update((record) => changeBulk(record, 1, to, clock.now));
      expect([await change('paused'), await change('paused')]).toEqual([true, false]);
      await run({ store, clock });
      expect((await signups()).length).toBe(12);
      expect(await change('running')).toBe(true);
      await run({ store, clock }, 1);
      expect((await signups()).length).toBe(2);
      expect([await change('cancelled'), await change('running')]).toEqual([true, false]);
      await run({ store, clock });
      expect(await newest(store)).toMatchObject({ state: 'cancelled', done: 20, ended_at: clock.now });
      expect([(await signups()).length, await store.bulk.part(1, 0)]).toEqual([2, []]);
      expect(await begin(store, clock, 'forget', EVERYONE)).toMatchObject({ number: 2 });
      await run({ store, clock });
      expect(await store.bulk.list(9)).toMatchObject([{ number: 2, state: 'done', done: 2 }, { number: 1 }]);
      expect(await signups()).toEqual([]);
    });

    it('is done by one process of several that look at the same time', async () => {
      const { store, clock, open } = await setUp();
      for (let number = 0; number < 6; number += 1) await signUp(store, clock, `p${number}`);
      await begin(store, clock, 'unsubscribe', EVERYONE);
      await Promise.all([store, open(), open()].map((each) => run({ store: each, clock })));
      expect(await newest(store)).toMatchObject({ state: 'done', done: 6 });
      const [first] = await Array.fromAsync(store.people.all(EVERYONE));
      const { timeline }: Pick<PersonRecord, 'timeline'> = (await store.people.find(first?.id ?? '')) ?? {
        timeline: [],
      };
      expect(timeline.filter(({ event }) => event === 'unsubscribe')).toHaveLength(1);
    });
  });
}

async function signUp(store: Store, clock: { now: number }, name: string, source = 'page') {
  await store.createSignup(exampleSignup({ email: `${name}@x.io`, source }));
  clock.now += 1_000;
}

function begin(store: Store, clock: { now: number }, action: BulkAction, filter: PeopleFilter) {
  const labels = action === 'label' ? VIP : null;
  return store.bulk.update((record) =>
    startBulk(record, { action, labels, filter, people: 1, author: AUTHOR }, clock.now),
  );
}

/** Runs at most this number of steps. */
function run({ store, clock }: { readonly store: Store; readonly clock: { now: number } }, steps = 1_000) {
  const context: BulkContext = { store, clock: () => clock.now, copies: null, wakeMail() {} };
  let left = steps;
  return runBulk(context, () => {
    left -= 1;
    return left >= 0;
  });
}

async function newest({ bulk }: Store): Promise<BulkRecord | undefined> {
  return (await bulk.list(1))[0];
}

/** The names of the matching people, oldest first. */
async function listNames({ people }: Store, filter: PeopleFilter): Promise<string> {
  const found = await Array.fromAsync(people.all(filter));
  return found.map(({ email }) => email.slice(0, -'@x.io'.length)).join('');
}
