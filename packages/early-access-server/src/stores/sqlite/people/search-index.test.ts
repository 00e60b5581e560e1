import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fc } from '@early-access-kit/testkit/fast-check';
import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished } from 'vitest';
import { sql } from '../../sql/statement.ts';
import { transactionRunner } from '../run-transaction.ts';
import { sqliteStore } from '../sqlite-store.ts';
import { inTransaction } from '../transaction.ts';
import { selectByPart } from './people-search.ts';
import { addToIndex, countUnsearched, isIndexUsable } from './search-index.ts';

const EVERYONE = { state: null, mail: null, source: null, import: null, from: null, to: null };

const name = fc
  .array(fc.constantFrom('ab', 'ba', 'aa', '+'), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
const step = fc.oneof(
  fc.record({ kind: fc.constant('sign up' as const), name }),
  fc.record({ kind: fc.constant('erase' as const), name }),
  fc.record({ kind: fc.constant('index' as const), limit: fc.integer({ min: 1, max: 3 }) }),
);

/** A store, and another connection to its file. Both are closed after the test. */
function openStore() {
  const file = join(tempFolder(), 'search.sqlite');
  const store = sqliteStore({ file });
  const raw = new DatabaseSync(file);
  onTestFinished(() => {
    raw.close();
    store.close();
  });
  return { store, raw, run: transactionRunner(raw) };
}

it('a search finds the same people whether or not their addresses are in the index yet', async () => {
  const { store, raw, run } = openStore();
  const listed = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), name, async (steps, search) => {
      for (const one of steps) {
        if (one.kind === 'index') {
          inTransaction(raw, () => run(addToIndex(one.limit)));
          continue;
        }
        const email = `${one.name}@example.org`;
        if (one.kind === 'sign up') {
          await store.createSignup(signupOf({ email }));
          listed.add(email);
        } else {
          await store.erase(email);
          listed.delete(email);
        }
      }
      const found = (await Array.fromAsync(store.people.all({ ...EVERYONE, search }))).map(({ email }) => email);
      expect(found.toSorted()).toEqual([...listed].filter((email) => email.includes(search)).sort());
    }),
    { numRuns: 30 },
  );
  while (inTransaction(raw, () => run(addToIndex(100))) > 0);
  expect(run(countUnsearched(1))).toBe(0);
  expect((await store.people.count({ ...EVERYONE, search: 'example' })).count).toBe(listed.size);
});

it('a search reads no address that is in the index', () => {
  const { run } = openStore();
  const plan = run(sql`EXPLAIN QUERY PLAN ${selectByPart('part')}`);
  const steps = plan.map(({ detail }) => String(detail)).filter((step) => step.includes('email_signups'));
  expect(steps).toEqual([expect.stringMatching(/^SEARCH email_signups USING INTEGER PRIMARY KEY/)]);
});

/** A store with this number of people in the index, apart from the first, whom the index has lost. */
async function storeWithLostPerson(people: number) {
  const { store, raw, run } = openStore();
  const add = async (from: number, to: number) => {
    const imported = Array.from({ length: to - from }, (_, n) => ({
      email: `person-${from + n}@example.org`,
      source: 'import',
      created_at: 1,
      state: 'subscribed' as const,
    }));
    await store.list.importPeople(imported, { welcome: false });
    while (inTransaction(raw, () => run(addToIndex(1_000))) > 0);
  };
  await add(0, people + 1);
  raw.exec('DELETE FROM signup_search WHERE rowid = 1');
  return { add, raw, run, found: async (search: string) => (await store.people.count({ ...EVERYONE, search })).count };
}

const UNSEARCHED = `
  PRAGMA foreign_keys = OFF;
  WITH RECURSIVE numbers (id) AS (VALUES (1000001) UNION ALL SELECT id + 1 FROM numbers WHERE id < 1020000)
  INSERT INTO unsearched_signups SELECT id FROM numbers
`;

it('a search reads the index if it has three characters and few addresses are outside, otherwise the list', async () => {
  const { found, raw, run } = await storeWithLostPerson(1);
  expect([await found('son'), await found('on')]).toEqual([1, 2]);
  raw.exec(UNSEARCHED);
  expect([isIndexUsable(run), await found('son')]).toEqual([true, 1]);
  raw.exec('INSERT INTO unsearched_signups VALUES (2000000)');
  expect([isIndexUsable(run), await found('son')]).toEqual([false, 2]);
});

it('a search reads the list if the index finds more than 2,000 people', async () => {
  const { found, add } = await storeWithLostPerson(2_000);
  expect(await found('person')).toBe(2_000);
  await add(2_001, 2_002);
  expect(await found('person')).toBe(2_002);
});
