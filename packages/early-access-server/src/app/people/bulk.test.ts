import fc from 'fast-check';
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
