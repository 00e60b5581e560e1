import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Response as ExpressResponse, type Request } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { sendResponse, serveExpress } from './express.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** Serves the result of `respond` and returns the URL. */
function serve(respond: () => Response): Promise<string> {
  return listen((_, response) => void sendResponse(respond(), response).catch(() => {}));
}

async function listen(handle: (request: Request, response: ExpressResponse) => void): Promise<string> {
  const server = express().use(handle).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

it('passes on status and headers, and every cookie', async () => {
  const headers = new Headers([
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['x-test', 'yes'],
  ]);
  const response = await fetch(await serve(() => new Response(null, { status: 204, headers })));
  expect([response.status, response.headers.get('x-test'), response.headers.getSetCookie()]).toEqual([
    204,
    'yes',
    ['a=1', 'b=2'],
  ]);
});

it('sends the start of a body before its end is known', async () => {
  const end = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(encode('first'));
      await end.promise;
      controller.enqueue(encode(', last'));
      controller.close();
    },
  });
  const response = await fetch(await serve(() => new Response(body)));
  const reader = response.body?.getReader();
  expect((await reader?.read())?.value).toEqual(encode('first'));
  end.resolve();
  expect((await reader?.read())?.value).toEqual(encode(', last'));
});

it('closes the connection if the body fails, so that half a file does not look complete', async () => {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(encode('half'));
      setTimeout(() => controller.error(new Error('the store failed')));
    },
  });
  const url = await serve(() => new Response(body));
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
});

it('sends nothing more to a caller who has disconnected', async () => {
  const called = Promise.withResolvers<void>();
  const hungUp = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const failures: string[] = [];
  const handler = serveExpress(
    async () => {
      called.resolve();
      await hungUp.promise;
      return new Response('the answer');
    },
    () => new Response('it failed', { status: 500 }),
    (reason) => failures.push(reason),
  );
  const url = await listen((request, response) => {
    response.once('close', hungUp.resolve);
    handler(Object.assign(request, { rawBody: Buffer.alloc(0) }), response).then(ended.resolve, ended.reject);
  });
  const caller = new AbortController();
  const response = fetch(url, { signal: caller.signal });
  await called.promise;
  caller.abort();
  await expect(response).rejects.toThrow();
  await ended.promise;
  expect(failures).toHaveLength(1);
});
