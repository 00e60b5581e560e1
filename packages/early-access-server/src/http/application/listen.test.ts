import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { signupOf } from '@early-access-kit/testkit/records';
import { MAX_BODY_BYTES } from 'early-access-kit/internal';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigError } from '../../app/config-error.ts';
import type { Log } from '../../app/ports/log.ts';
import { ADMIN_EMAIL } from '../../fixtures/app-harness.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { listen } from './listen.ts';
import { createRoutes } from './routes.ts';

async function listening(hosts = ['127.0.0.1'], port = 0, more: Partial<Parameters<typeof listen>[0]> = {}) {
  const { store } = tempStore();
  const app = createRoutes({ store, wakeMail: () => {}, adminEmail: ADMIN_EMAIL });
  const open = await listen({ app, port, hosts, ...more });
  onTestFinished(() => open.close(0));
  return { ...open, url: `http://127.0.0.1:${open.port}` };
}

/** Sends raw bytes and returns the whole response. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return response;
}

/** The last response has a body that says why, and the headers of every other one. */
function expectBody(responses: string): void {
  const [head = '', body = ''] = responses.slice(responses.lastIndexOf('HTTP/1.1')).split('\r\n\r\n');
  expect(head.toLowerCase()).toContain(`\r\ncontent-length: ${body.length}`);
  expect(head.toLowerCase()).toContain('\r\nx-content-type-options: nosniff');
  expect(JSON.parse(body)).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
}

describe('listen', () => {
  it('responds on both addresses of localhost if the machine has them', async () => {
    const { hosts, port } = await listening(['127.0.0.1', '::1']);
    expect(hosts).toContain('127.0.0.1');
    for (const host of hosts) {
      const response = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`);
      expect(response.status).toBe(200);
    }
    expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(200);
  });

  it('skips an address that the machine does not have, unless it is the first', async () => {
    expect((await listening(['127.0.0.1', '203.0.113.77'])).hosts).toEqual(['127.0.0.1']);
    await expect(listening(['203.0.113.77'])).rejects.toThrow(ConfigError);
  });

  it('names a port that is taken', async () => {
    const { port } = await listening();
    await expect(listening(['127.0.0.1'], port)).rejects.toThrow(`PORT ${port} is taken on 127.0.0.1`);
  });

  it.runIf(process.platform === 'linux')('accepts several connections per turn of the event loop', async () => {
    const { port } = await listening();
    const connections = 64;
    const responses = Promise.all(
      Array.from({ length: connections }, () =>
        exchange(port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
      ),
    );
    let turns = 0;
    let waiting = true;
    void responses.then(() => {
      waiting = false;
    });
    while (waiting) {
      turns += 1;
      // Long enough for all of them to connect.
      const until = performance.now() + 5;
      while (performance.now() < until);
      await new Promise(setImmediate);
    }
    expect((await responses).every((response) => response.startsWith('HTTP/1.1 200'))).toBe(true);
    expect(turns).toBeLessThan(connections);
  });

  it('counts clients by the address of their connection', async () => {
    const { url } = await listening();
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      const response = await fetch(`${url}/api/summary`, {
        method: 'POST',
        body: JSON.stringify({ admin_email: 'guess@example.com' }),
        headers: { 'x-forwarded-for': `203.0.113.${guess}` },
      });
      statuses.push(response.status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  it('refuses an endless body at the limit and keeps serving', async () => {
    const { url, port } = await listening();
    const head =
      'POST /api/signups HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
    const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`;
    expect(await exchange(port, `${head}${chunk.repeat(MAX_BODY_BYTES / 0x1000 + 1)}0\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 413 [\s\S]*"code":"invalid"/,
    );
    expect((await fetch(`${url}/api/signups`, { method: 'POST', body: JSON.stringify(signupOf()) })).status).toBe(201);
  });

  it('closes idle connections to make room, and then the oldest unfinished one', async () => {
    const { port } = await listening(['127.0.0.1'], 0, { maxConnections: 4 });
    const connected = async (localAddress: string, text: string) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      socket.write(text);
      return socket;
    };
    const idle = await connected('127.0.0.1', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idle, 'data');
    const idleClosed = once(idle, 'close');
    const stalled: Socket[] = [];
    for (let index = 2; index < 6; index += 1) {
      stalled.push(await connected(`127.0.0.${index}`, 'GET /healthz HTTP/1.1\r\nHost:'));
    }
    await idleClosed;
    const refused = stalled[0] && once(stalled[0].setEncoding('utf8'), 'data');
    expect(await exchange(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    expect(await refused).toEqual([expect.stringMatching(/^HTTP\/1\.1 408 /)]);
    expect(stalled.slice(1).map(({ closed }) => closed)).toEqual([false, false, false]);
  });

  it('refuses headers of more than 16 kB, and says so in the log once', async () => {
    const log = vi.fn<Log>();
    const { port } = await listening(['127.0.0.1'], 0, { log });
    const request = (bytes: number) =>
      exchange(port, `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: ${'x'.repeat(bytes)}\r\n\r\n`);
    expect(await request(16_000)).toMatch(/^HTTP\/1\.1 200 /);
    expect(log).not.toHaveBeenCalled();
    expect(await request(16_384)).toMatch(/^HTTP\/1\.1 431 /);
    expect(await request(16_384)).toMatch(/^HTTP\/1\.1 431 /);
    expect(log.mock.calls).toEqual([['warn', 'headers-too-large', { fix: expect.stringContaining('cookies') }]]);
  });

  it('gives a response up that no one reads', { timeout: 15_000 }, async () => {
    const isCancelled = Promise.withResolvers<void>();
    const fetch = () => {
      const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(65_536));
      return new Response(new ReadableStream({ pull, cancel: () => isCancelled.resolve() }));
    };
    const { port } = await listening(['127.0.0.1'], 0, { app: { fetch, handles: () => true }, requestTimeoutMs: 240 });
    const socket = connect(port, '127.0.0.1').pause();
    onTestFinished(() => void socket.destroy());
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await isCancelled.promise;
  });

  it('sends Content-Length with the response to a welcome email request', async () => {
    const { port } = await listening();
    const body = JSON.stringify({ email: 'me@example.org' });
    const response = await exchange(
      port,
      `POST /api/welcome-email HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 202 [\s\S]*\r\ncontent-length: 0\r\n/i);
    expect(response).not.toMatch(/transfer-encoding/i);
  });

  it.each([
    ['a broken Host', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n'],
    ['a broken target', 'GET /\\..\\x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: localhost\r\nbroken header\r\n\r\n'],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['no HTTP', 'EHLO example.com\r\n\r\n'],
  ])('responds to %s with 400 and keeps serving', async (_, bytes) => {
    const { url, port } = await listening();
    const response = await exchange(port, bytes);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expectBody(response);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it.each([
    [408, 'GET /healthz HTTP/1.1\r\nHost: x\r\n'],
    [408, 'POST /api/signups HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n{'],
    [413, `POST /api/signups HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`],
    [417, 'POST /api/signups HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
    [431, `GET /healthz HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('responds with a body to a request that Node refuses with %i', { timeout: 15_000 }, async (status, bytes) => {
    const { port } = await listening(['127.0.0.1'], 0, { requestTimeoutMs: 600 });
    const response = await exchange(port, bytes);
    expect(response.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expectBody(response);
  });

  it('needs no Host for HTTP/1.0', async () => {
    const { port } = await listening();
    expect(await exchange(port, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });
});
