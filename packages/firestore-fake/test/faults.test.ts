import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FirestoreFake, startFirestoreFake } from '../src/firestore-fake.ts';
import { nameDocument, restClient, update } from './rest-client.ts';

let fake: FirestoreFake;
let owner: ReturnType<typeof restClient>;

beforeAll(async () => {
  fake = await startFirestoreFake();
  owner = restClient(fake, 'Bearer owner');
});
afterAll(() => fake.stop());
beforeEach(() => {
  fake.faults.always(null);
  fake.store.clear();
});

test('a connection dropped before the commit stores nothing, one dropped after it stores the document', async () => {
  fake.faults.next({ drop: 'before' });
  await expect(owner.commit(update('things/a', {}))).rejects.toThrow('fetch failed');
  expect(fake.store.list('things')).toHaveLength(0);
  fake.faults.next({ drop: 'after' });
  await expect(owner.commit(update('things/a', {}))).rejects.toThrow('fetch failed');
  expect(fake.store.list('things')).toHaveLength(1);
});

test('the response can be lost even if it is an error', async () => {
  fake.faults.next({ drop: 'after' });
  const impossible = update('things/a', {}, { currentDocument: { exists: true } });
  await expect(owner.commit(impossible)).rejects.toThrow('fetch failed');
  expect((await owner.commit(impossible)).status).toBe(404);
});

test('responds with any status, with Retry-After or as HTML', async () => {
  fake.faults.next({ status: 429, retryAfter: 7 });
  fake.faults.next({ status: 503, html: true });
  const busy = await owner.commit(update('things/a', {}));
  expect(busy.status).toBe(429);
  expect(busy.headers.get('retry-after')).toBe('7');
  expect(busy.body).toMatchObject({ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } });
  const down = await owner.commit(update('things/a', {}));
  expect(down.status).toBe(503);
  expect(down.body).toContain('503 Service Unavailable');
  expect((await owner.commit(update('things/a', {}))).status).toBe(200);
});

test('a fault for one verb waits for it and does not affect other verbs', async () => {
  fake.faults.next({ status: 500, verb: 'commit' });
  expect((await owner.post('batchGet', { documents: [nameDocument('things/a')] })).status).toBe(200);
  expect((await owner.commit(update('things/a', {}))).body).toMatchObject({ error: { status: 'INTERNAL' } });
  expect((await owner.commit(update('things/a', {}))).status).toBe(200);
});

test('a permanent fault applies until it is removed, but not to preflights', async () => {
  fake.faults.always({ status: 403 });
  const preflight = await fetch(`${fake.restUrl}/v1/${nameDocument('a/b')}:commit`, { method: 'OPTIONS' });
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  for (const _ of [1, 2]) expect((await owner.commit()).body).toMatchObject({ error: { status: 'PERMISSION_DENIED' } });
  fake.faults.always(null);
  expect((await owner.commit()).status).toBe(200);
});

test('a delayed request does not block later ones', async () => {
  fake.faults.next({ delayMs: 500, verb: 'commit' });
  const order: string[] = [];
  const slow = owner.commit(update('things/slow', {})).then(() => order.push('slow'));
  const fast = owner.post('batchGet', { documents: [nameDocument('things/none')] }).then(() => order.push('fast'));
  await Promise.all([slow, fast]);
  expect(order).toEqual(['fast', 'slow']);
});
