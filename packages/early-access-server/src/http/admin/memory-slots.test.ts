import { expect, it } from 'vitest';
import { memorySlots } from './memory-slots.ts';

const GET = { method: 'GET' };

it('frees the slot of a response to HEAD, whose body no one reads, and of one without a body', async () => {
  const slots = memorySlots(1, 'export');
  const head = await slots.run({ method: 'HEAD' }, async () => new Response('text', { headers: { 'x-test': 'yes' } }));
  expect([head.body, head.headers.get('x-test')]).toEqual([null, 'yes']);
  expect((await slots.run(GET, async () => new Response(null, { status: 204 }))).status).toBe(204);
  await expect(slots.run(GET, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await (await slots.run(GET, async () => new Response('text'))).text()).toBe('text');
});

it('frees the slot once if the body fails, and passes the failure on', async () => {
  const slots = memorySlots(1, 'export');
  const body = new ReadableStream({ pull: () => Promise.reject(new Error('the store failed')) });
  const response = await slots.run(GET, async () => new Response(body));
  await expect(response.text()).rejects.toThrow('the store failed');
  await slots.run(GET, async () => new Response('unread'));
  await expect(slots.run(GET, async () => new Response())).rejects.toMatchObject({ status: 429 });
});
