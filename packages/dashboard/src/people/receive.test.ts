import { expect, test } from 'vitest';
import { receive } from './receive.ts';

test('rows are counted without the header, and all bytes are returned', async () => {
  const line = `${'a'.repeat(98)}\r\n`;
  const csv = `email\r\n${line.repeat(30_000)}`;
  const counts: number[] = [];
  const parts = await receive(new Response(csv), (rows) => counts.push(rows));
  expect(await new Blob(parts).text()).toBe(csv);
  expect(counts.length).toBeGreaterThan(0);
  expect(counts.at(-1)).toBeLessThanOrEqual(30_000);
});

test('a download that ends early rejects', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('email\r\n'));
      controller.error(new Error('the connection was lost'));
    },
  });
  await expect(receive(new Response(broken), () => {})).rejects.toThrow('the connection was lost');
});
