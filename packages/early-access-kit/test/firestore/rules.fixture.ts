import { connectFirestoreEmulator } from '@early-access-kit/testkit/firestore-emulator';
import type {} from '@early-access-kit/testkit/firestore-setup';
import type {} from '@early-access-kit/testkit/provided-rules';
import { beforeAll, beforeEach, expect, inject } from 'vitest';
import { generateRules } from '../../../early-access-firebase/src/rules/generate-rules.ts';
import { RULES } from './backend.ts';
import { commit, documentName, type Operation, PROJECT_ID, send } from './rest.ts';

export const ALLOWED = 200;
export const DENIED = 403;

/** The rules of a site whose browsers write signups. A mutation run replaces them. */
const TESTED = inject('testedRules') ?? generateRules(RULES, { directSignups: true });

const emulator = connectFirestoreEmulator(inject('firestoreEmulator'));
const database = emulator.database(PROJECT_ID);

/**
 * A database that is emptied before each test, accessed anonymously. `fixTime` replaces the emulator's time in the
 * rules.
 */
export function rulesFixture() {
  beforeAll(() => database.setRules(TESTED));
  beforeEach(() => database.clear());
  const { url } = emulator;
  /** Bypasses the rules, like the functions and the admin's scripts. */
  async function sendAsAdmin(verb: string, request: object): Promise<{ found?: object }[]> {
    const { status, body } = await send(url, verb, request, { Authorization: 'Bearer owner' });
    if (status !== 200) throw new Error(`${verb} failed: ${status}`);
    return Array.isArray(body) ? body : [];
  }

  return {
    fixTime: (now: number) => database.setRules(TESTED.replaceAll('request.time', `timestamp.value(${now})`)),
    commit: (...writes: Operation[]) => commit(url, ...writes),
    commitAsAdmin: (...writes: Operation[]) => sendAsAdmin('commit', { writes }),
    fields: async (collection: string, id: string) => (await database.get(`${collection}/${id}`))?.fields,
    count: async (collection: string) => (await database.list(collection)).length,
    /** Expects that the writes are denied together, and that none of them is stored. */
    async refuses(...writes: Operation[]) {
      const names = writes.map((write) => ('delete' in write ? write.delete : write.update.name));
      const stored = async () => {
        const rows = await sendAsAdmin('batchGet', { documents: [...new Set(names)] });
        return new Set(rows.flatMap(({ found }) => found ?? []));
      };
      const before = await stored();
      expect(await commit(url, ...writes)).toBe(DENIED);
      expect(await stored()).toEqual(before);
    },
    async get(collection: string, id: string) {
      const { status, body } = await send(url, 'batchGet', { documents: [documentName(collection, id)] });
      return { status, body };
    },
    query: (collectionId: string) => send(url, 'runQuery', { structuredQuery: { from: [{ collectionId }] } }),
    aggregate: (collectionId: string) =>
      send(url, 'runAggregationQuery', {
        structuredAggregationQuery: {
          structuredQuery: { from: [{ collectionId }] },
          aggregations: [{ alias: 'all', count: {} }],
        },
      }),
  };
}
