import { connectFirestoreEmulator } from '@early-access-kit/testkit/firestore-emulator';
import type {} from '@early-access-kit/testkit/firestore-setup';
import type {} from '@early-access-kit/testkit/provided-rules';
import { beforeAll, beforeEach, expect, inject } from 'vitest';
import { generateRules } from '../../../early-access-firebase/src/rules/generate-rules.ts';
import { commitAsAdmin, getAsAdmin, listAsAdmin } from './admin-rest.ts';
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
  const url = () => emulator.url;
  const list = (collection: string) => listAsAdmin(url(), collection);

  return {
    fixTime: (now: number) => database.setRules(TESTED.replaceAll('request.time', `timestamp.value(${now})`)),
    commit: (...writes: Operation[]) => commit(url(), ...writes),
    /** Bypasses the rules, like the functions and the admin's scripts. */
    commitAsAdmin: (...writes: Operation[]) => commitAsAdmin(url(), writes),
    fields: async (collection: string, id: string) =>
      (await list(collection)).find(({ name }) => name === documentName(collection, id))?.fields,
    count: async (collection: string) => (await list(collection)).length,
    /** Expects that the writes are denied together, and that none of them is stored. */
    async refuses(...writes: Operation[]) {
      const names = writes.map((write) => ('delete' in write ? write.delete : write.update.name));
      const stored = async () => new Set(await getAsAdmin(url(), names));
      const before = await stored();
      expect(await commit(url(), ...writes)).toBe(DENIED);
      expect(await stored()).toEqual(before);
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
