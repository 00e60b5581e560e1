import { type FirestoreFake, startFirestoreFake } from '@early-access-kit/firestore-fake';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { commitAsAdmin, erase, listAsAdmin } from './admin-rest.ts';
import { PROJECT_ID, RULES } from './backend.ts';
import { commit, documentName, type Operation, send } from './rest.ts';
import { EMULATOR_URL } from './target.ts';

export const ALLOWED = 200;
export const DENIED = 403;

const COLLECTIONS = ['email_signups', 'sessions', 'visitors', 'erased_sessions', 'elsewhere'];

/** A database that is empty before each test, accessed anonymously, with a stopped clock if it can be set. */
export function rulesFixture(now: number) {
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
  const list = (collection: string) => listAsAdmin(url(), collection);

  return {
    clock,
    commit: (...writes: Operation[]) => commit(url(), ...writes),
    /** Bypasses the rules, like the functions and the admin's scripts. */
    commitAsAdmin: (...writes: Operation[]) => commitAsAdmin(url(), writes),
    fields: async (collection: string, id: string) =>
      (await list(collection)).find(({ name }) => name === documentName(collection, id))?.fields,
    count: async (collection: string) => (await list(collection)).length,
    /** Expects that the writes are denied together, and that none of them is stored. */
    async refuses(...writes: Operation[]) {
      const all = () => Promise.all(COLLECTIONS.map(list));
      const before = await all();
      expect(await commit(url(), ...writes)).toBe(DENIED);
      expect(await all()).toEqual(before);
    },
    async get(collection: string, id: string) {
      const { status, body } = await send(url(), 'batchGet', { documents: [documentName(collection, id)] });
      return { status, body };
    },
    query: (collectionId: string) => send(url(), 'runQuery', { structuredQuery: { from: [{ collectionId }] } }),
    aggregate: (collectionId: string) =>
      send(url(), 'runAggregationQuery', {
        structuredAggregationQuery: {
          structuredQuery: { from: [{ collectionId }] },
          aggregations: [{ alias: 'all', count: {} }],
        },
      }),
  };
}
