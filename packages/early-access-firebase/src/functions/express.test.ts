import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Response as ExpressResponse, type Request } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { sendResponse } from './express.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** Serves what `respond` returns, and resolves with the URL. */
async function serve(respond: () => Response): Promise<string> {
  const app = express().use((_: Request, response: ExpressResponse) =>
    sendResponse(respond(), response).catch(() => {}),
  );
  const server = app.listen(0, '127.0.0.1');
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

it('sends the beginning of a body before its end is known', async () => {
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

it('breaks the connection off if the body fails, so that half a file does not look complete', async () => {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(encode('half'));
      setTimeout(() => controller.error(new Error('the store failed')));
    },
  });
  const url = await serve(() => new Response(body));
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
});
