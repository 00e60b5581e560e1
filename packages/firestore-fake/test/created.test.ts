import { afterEach, expect, test } from 'vitest';
import { type FirestoreFake, startFirestoreFake } from '../src/firestore-fake.ts';
import { restClient, update } from './rest-client.ts';

let fake: FirestoreFake | undefined;
afterEach(() => fake?.stop());

test('onCreated is called for each document that a commit creates, and for nothing else', async () => {
  const created: [string, unknown][] = [];
  fake = await startFirestoreFake({ onCreated: (path, { fields }) => created.push([path, fields]) });
  const owner = restClient(fake, 'Bearer owner');
  const one = { n: { integerValue: '1' } };
  await owner.commit(update('things/a', one));
  await owner.commit(update('things/a', { n: { integerValue: '2' } }));
  await owner.commit(update('things/b', one, { currentDocument: { exists: true } }));
  fake.store.put('things/c', one);
  expect(created).toEqual([['things/a', one]]);
});
