import { type FirestoreFake, startFirestoreFake } from '@early-access-kit/firestore-fake';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { PROJECT_ID, RULES } from './backend.ts';
import { commitAsOwner, erase, listAsOwner } from './owners-rest.ts';
import { ask, commit, documentName, type Operation } from './rest.ts';
import { EMULATOR_URL } from './target.ts';

export const ALLOWED = 200;
export const DENIED = 403;

const COLLECTIONS = ['email_signups', 'sessions', 'visitors', 'erased_sessions', 'elsewhere'];

/** A database that is empty before each test, on a clock that stands still where it can, for callers who are nobody. */
export function rulesBench(now: number) {
  const clock = { now };
  let fake: FirestoreFake | undefined;
  const url = () => {
    const running = EMULATOR_URL ?? fake?.restUrl;
    if (!running) throw new Error('the fake is not running');
    return running;
  };
  beforeAll(async () => {
    if (EMULATOR_URL) return;
    fake = await startFirestoreFake({ projectId: PROJECT_ID, rules: RULES, now: () => clock.now });
  });
  beforeEach(async () => {
    clock.now = now;
    await erase(url(), COLLECTIONS);
  });
  afterAll(() => fake?.stop());
  const list = (collection: string) => listAsOwner(url(), collection);

  return {
    clock,
    commit: (...writes: Operation[]) => commit(url(), ...writes),
    /** Past the rules, as the functions and the owner's scripts write. */
    commitAsOwner: (...writes: Operation[]) => commitAsOwner(url(), writes),
    fields: async (collection: string, id: string) =>
      (await list(collection)).find(({ name }) => name === documentName(collection, id))?.fields,
    count: async (collection: string) => (await list(collection)).length,
    /** Expects that the writes are denied together, and that nothing of them is kept. */
    async refuses(...writes: Operation[]) {
      const all = () => Promise.all(COLLECTIONS.map(list));
      const before = await all();
      expect(await commit(url(), ...writes)).toBe(DENIED);
      expect(await all()).toEqual(before);
    },
    async get(collection: string, id: string) {
      const { status, body } = await ask(url(), 'batchGet', { documents: [documentName(collection, id)] });
      return { status, body };
    },
    query: (collectionId: string) => ask(url(), 'runQuery', { structuredQuery: { from: [{ collectionId }] } }),
    aggregate: (collectionId: string) =>
      ask(url(), 'runAggregationQuery', {
        structuredAggregationQuery: {
          structuredQuery: { from: [{ collectionId }] },
          aggregations: [{ alias: 'all', count: {} }],
        },
      }),
  };
}
