import { startFirestoreFake } from '@early-access-kit/firestore-fake';
import { connectFirestoreEmulator } from '@early-access-kit/testkit/firestore-emulator';
import type {} from '@early-access-kit/testkit/firestore-setup';
import { afterAll, beforeAll, beforeEach, expect, inject } from 'vitest';
import { commitAsAdmin, getAsAdmin, listAsAdmin } from './admin-rest.ts';
import { RULES } from './backend.ts';
import { commit, documentName, type Operation, PROJECT_ID, send } from './rest.ts';

export const ALLOWED = 200;
export const DENIED = 403;

/**
 * A database that is empty before each test, accessed anonymously: in Google's emulator if this machine has it, otherwise in memory.
 * With a clock, which only the in-memory Firestore can follow, it is always in memory.
 */
export function rulesFixture(clock?: { readonly now: number }) {
  const host = clock === undefined ? inject('firestoreEmulator') : null;
  let database: { readonly url: string; clear(): Promise<void> | void; stop?(): Promise<void> };
  beforeAll(async () => {
    database = host ? await onEmulator(host) : await inMemory(() => clock?.now ?? Date.now());
  });
  beforeEach(() => database.clear());
  afterAll(() => database.stop?.());
  const url = () => database.url;
  const list = (collection: string) => listAsAdmin(url(), collection);

  return {
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

async function onEmulator(host: string) {
  const emulator = connectFirestoreEmulator(host);
  await emulator.setRules(PROJECT_ID, RULES);
  return { url: emulator.url, clear: () => emulator.clear(PROJECT_ID) };
}

async function inMemory(now: () => number) {
  const fake = await startFirestoreFake({ projectId: PROJECT_ID, rules: RULES, now });
  return { url: fake.restUrl, clear: () => fake.store.clear(), stop: () => fake.stop() };
}
