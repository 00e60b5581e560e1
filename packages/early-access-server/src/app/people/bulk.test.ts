import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import {
  advanceBulk,
  BULK_LEASE_MS,
  BULK_OUTCOMES,
  type BulkDecision,
  type BulkRecord,
  changeBulk,
  claimBulk,
  collectPeople,
  isEnded,
  releaseBulk,
  startBulk,
  toBulkJob,
} from './bulk.ts';
import { EVERYONE } from './people.ts';

const NEW = { action: 'label', labels: null, people: 7, filter: EVERYONE, author: { session: 'one' } } as const;

/** A store in memory. */
function memory() {
  let newest: BulkRecord | null = null;
  const parts = new Map<number, readonly string[]>();
  return {
    parts,
    record: () => newest,
    update<T>(decide: (newest: BulkRecord | null) => BulkDecision<T>): T {
      const { record, added, removed = [], result } = decide(newest);
      if (record === null) return result;
      newest = record;
      if (added !== undefined) {
        expect(parts.has(added.part)).toBe(false);
        parts.set(added.part, added.ids);
      }
      for (const part of removed) expect(parts.delete(part)).toBe(true);
      return result;
    },
  };
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('work' as const), process: fc.nat(2), size: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), process: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(2 * BULK_LEASE_MS) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('change' as const), to: fc.constantFrom('paused', 'running') }),
  },
);

it('however processes take turns, pause and end, everyone is counted once, and no ids are left', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.array(fc.nat(4), { maxLength: 5 }), (steps, sizes) => {
      let now = 1_000;
      const store = memory();
      expect(store.update((newest) => startBulk(newest, NEW, now))).toMatchObject({ number: 1 });
      expect(store.update((newest) => startBulk(newest, NEW, now))).toBe('busy');
      const acted: string[] = [];
      let pages = 0;
      const work = (process: number, size: number) => {
        const token = String(process);
        store.update((newest) => claimBulk(newest, token, now));
        const held = store.record();
        // It acts only if it has the lease, as it learns from what it was returned.
        if (held === null || held.lease?.token !== token || held.state !== 'running') return;
        if (held.filter !== null) {
          const ids = Array.from({ length: sizes[pages] ?? 0 }, (_, index) => `${pages}-${index}`);
          pages += 1;
          const after = pages < sizes.length ? String(pages) : null;
          store.update((newest) => collectPeople(newest, { token, ids, after, now }));
          return;
        }
        const ids = store.parts.get(held.part) ?? [];
        const some = ids.slice(held.place, held.place + 1 + size);
        acted.push(...some);
        const outcomes = some.map((_, index) => BULK_OUTCOMES[index % BULK_OUTCOMES.length] ?? 'done');
        const isPartEnd = held.place + some.length >= ids.length;
        store.update((newest) => advanceBulk(newest, { token, outcomes, wave: null, isPartEnd, now }));
      };
      for (const each of steps) {
        if (each.kind === 'work') work(each.process, each.size);
        if (each.kind === 'wait') now += each.ms;
        if (each.kind === 'release') store.update((newest) => releaseBulk(newest, String(each.process)));
        if (each.kind === 'change')
          store.update((newest) => changeBulk(newest, 1, each.to === 'paused' ? 'paused' : 'running', now));
      }
      store.update((newest) => changeBulk(newest, 1, 'running', now));
      for (let turn = 0; turn < 100; turn += 1) {
        now += BULK_LEASE_MS + 1;
        work(0, 2);
      }
      const ended = store.record();
      if (ended === null) throw new Error('it was started');
      const people = sizes.reduce((sum, size) => sum + size, 0);
      expect([isEnded(ended), ended.collected, store.parts.size]).toEqual([true, people, 0]);
      expect(BULK_OUTCOMES.reduce((sum, outcome) => sum + ended[outcome], 0)).toBe(people);
      expect(acted.toSorted()).toEqual([...new Set(acted)].sort());
      expect(toBulkJob(ended)).toMatchObject({ id: '1', people, is_collecting: false, state: 'done' });
    }),
  );
});

const NOW = 1_000;
const RUNNING: BulkRecord = {
  ...{ action: 'label', labels: null, people: 7, author: { session: 'one' } },
  ...{ number: 1, state: 'running', started_at: 1, ended_at: null, filter: null, after: null, collected: 6 },
  ...{ parts: 3, part: 1, place: 1, lease: { token: 'mine', until: NOW }, wave: null },
  ...{ done: 1, unchanged: 0, left: 0, traces: 0 },
};
const ADVANCE = { token: 'mine', outcomes: ['done'], wave: null, isPartEnd: false, now: NOW } as const;

it('a process takes over at the moment at which a lease ends, not before, and only what runs', () => {
  expect(claimBulk(RUNNING, 'other', NOW - 1).result).toBeNull();
  expect(claimBulk(RUNNING, 'other', NOW).result?.lease).toEqual({ token: 'other', until: NOW + BULK_LEASE_MS });
  expect(claimBulk({ ...RUNNING, state: 'paused' }, 'other', NOW).result).toBeNull();
  expect(claimBulk({ ...RUNNING, lease: null }, 'other', 0).result).not.toBeNull();
});

it('a process without the lease counts nothing and collects nobody', () => {
  expect(advanceBulk(RUNNING, { ...ADVANCE, token: 'other' })).toEqual({ record: null, result: null });
  const collecting = { ...RUNNING, filter: EVERYONE };
  const page = { ids: ['a'], after: null, now: NOW };
  expect(collectPeople(collecting, { ...page, token: 'other' }).record).toBeNull();
  expect(collectPeople({ ...collecting, state: 'paused' }, { ...page, token: 'mine' }).record).toBeNull();
  expect(collectPeople(collecting, { ...page, token: 'mine' })).toMatchObject({
    record: { filter: null, collected: 7, parts: 4 },
    added: { part: 3, ids: ['a'] },
  });
});

it('cancelling forgets who is left at once, and still counts whom a process is working on', () => {
  const { record, removed, result } = changeBulk(RUNNING, 1, 'cancelled', NOW);
  expect([removed, result]).toEqual([[1, 2], true]);
  expect(record).toMatchObject({ state: 'cancelled', ended_at: NOW, lease: RUNNING.lease });
  const counted = advanceBulk(record, { ...ADVANCE, isPartEnd: true });
  expect(counted).toMatchObject({ record: { state: 'cancelled', done: 2, lease: null, ended_at: NOW }, result: null });
  expect(counted.removed).toBeUndefined();
});

it('pausing keeps everything, and what is being done is counted', () => {
  const { record } = changeBulk(RUNNING, 1, 'paused', NOW);
  expect(record).toEqual({ ...RUNNING, state: 'paused' });
  expect(advanceBulk(record, ADVANCE)).toMatchObject({ record: { done: 2, place: 2 }, result: null });
  expect(advanceBulk(RUNNING, ADVANCE).result).toMatchObject({ done: 2, place: 2 });
});

it('an action ends with its last people, and its lease with it', () => {
  const last = { ...RUNNING, part: 2 };
  const { record, removed, result } = advanceBulk(last, { ...ADVANCE, isPartEnd: true });
  expect(record).toMatchObject({ state: 'done', ended_at: NOW, lease: null });
  expect([result, removed]).toEqual([record, [2]]);
});

it('nobody who signs up after the start is included, nor after the end that the admin chose', () => {
  const start = (to: number | null) => startBulk(null, { ...NEW, filter: { ...EVERYONE, to } }, NOW).record?.filter?.to;
  expect([start(null), start(NOW + 5_000), start(700)]).toEqual([NOW + 1, NOW + 1, 700]);
});

it('an admin sees the number of people that they chose until they are collected', () => {
  expect(toBulkJob({ ...RUNNING, filter: EVERYONE })).toMatchObject({ is_collecting: true, people: 7 });
  expect(toBulkJob(RUNNING)).toMatchObject({ is_collecting: false, people: 6 });
});
