import { MAX_BODY_BYTES } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { readBody } from './body.ts';

function withStream(body: ReadableStream): Request {
  return new Request('http://localhost/', { method: 'POST', body, duplex: 'half' });
}

function streamed(chunks: Iterable<Uint8Array>, pulled: { count: number } = { count: 0 }): Request {
  const iterator = chunks[Symbol.iterator]();
  const body = new ReadableStream({
    pull(controller) {
      const { value, done } = iterator.next();
      pulled.count += 1;
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return withStream(body);
}

/** Fails the test, instead of hanging it, if a reader does not stop. */
function* endless() {
  for (let length = 0; length < 4 * MAX_BODY_BYTES; length += 1_024) yield new Uint8Array(1_024);
  throw new Error('the reader did not stop at the limit');
}

describe('readBody', () => {
  it('reads text of the maximum size, with and without a declared length', async () => {
    const text = 'ü'.repeat(MAX_BODY_BYTES / 2);
    const declared = { 'content-length': String(MAX_BODY_BYTES) };
    expect(await readBody(new Request('http://localhost/', { method: 'POST', body: text, headers: declared }))).toBe(
      text,
    );
    expect(await readBody(streamed([new TextEncoder().encode(text)]))).toBe(text);
  });

  it('joins characters that were split between chunks', async () => {
    expect(await readBody(streamed([new Uint8Array([0xc3]), new Uint8Array([0xbc])]))).toBe('ü');
  });

  it('reads an empty body as empty text', async () => {
    expect(await readBody(new Request('http://localhost/', { method: 'POST' }))).toBe('');
  });

  it('refuses a declared length that is too large without reading', async () => {
    const request = streamed(endless());
    request.headers.set('content-length', String(MAX_BODY_BYTES + 1));
    await expect(readBody(request)).rejects.toMatchObject({ status: 413, code: 'invalid' });
    expect(request.bodyUsed).toBe(false);
  });

  it('stops reading an undeclared body at the limit', async () => {
    const pulled = { count: 0 };
    await expect(readBody(streamed(endless(), pulled))).rejects.toMatchObject({ status: 413 });
    expect(pulled.count * 1_024).toBeLessThan(MAX_BODY_BYTES + 4_096);
  });

  it('refuses one byte more than the limit, even if less was declared', async () => {
    const body = 'x'.repeat(MAX_BODY_BYTES + 1);
    const lying = new Request('http://localhost/', { method: 'POST', body, headers: { 'content-length': '3' } });
    await expect(readBody(lying)).rejects.toMatchObject({ status: 413 });
    await expect(readBody(streamed([new TextEncoder().encode(body)]))).rejects.toMatchObject({ status: 413 });
  });

  it('refuses a body that is not UTF-8', async () => {
    await expect(readBody(streamed([new Uint8Array([0x61, 0xff])]))).rejects.toMatchObject({ status: 400 });
  });

  it('refuses an aborted body', async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('gone')) });
    await expect(readBody(withStream(body))).rejects.toMatchObject({ status: 400, code: 'invalid' });
  });
});
