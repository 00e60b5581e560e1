import { once } from 'node:events';
import { connect } from 'node:net';
import { signupOf } from '@early-access-kit/testkit/records';
import { MAX_BODY_BYTES } from 'early-access-kit/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError } from '../app/config-error.ts';
import { OWNER } from '../fixtures/app-harness.ts';
import { tempStore } from '../fixtures/temp-store.ts';
import { createApp } from './app.ts';
import { listen } from './listen.ts';

async function listening(hosts = ['127.0.0.1'], port = 0, more: { requestTimeoutMs?: number } = {}) {
  const { store } = tempStore();
  const app = createApp({ store, wakeMail: () => {}, adminEmail: OWNER });
  const open = await listen({ app, port, hosts, ...more });
  onTestFinished(() => open.close(0));
  return { ...open, url: `http://127.0.0.1:${open.port}` };
}

/** Sends bytes as they are and answers with all that came back. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

describe('listen', () => {
  it('answers on both addresses of localhost where the machine has them', async () => {
    const { hosts, port } = await listening(['127.0.0.1', '::1']);
    expect(hosts).toContain('127.0.0.1');
    for (const host of hosts) {
      const answer = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`);
      expect(answer.status).toBe(200);
    }
    expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(200);
  });

  it('does without an address that the machine does not have, unless it is the first', async () => {
    expect((await listening(['127.0.0.1', '203.0.113.77'])).hosts).toEqual(['127.0.0.1']);
    await expect(listening(['203.0.113.77'])).rejects.toThrow(ConfigError);
  });

  it('names a port that is taken', async () => {
    const { port } = await listening();
    await expect(listening(['127.0.0.1'], port)).rejects.toThrow(`PORT ${port} is taken on 127.0.0.1`);
  });

  it.runIf(process.platform === 'linux')('takes several newcomers at each turn of the event loop', async () => {
    const { port } = await listening();
    const newcomers = 64;
    const answered = Promise.all(
      Array.from({ length: newcomers }, () =>
        exchange(port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
      ),
    );
    let turns = 0;
    let waiting = true;
    void answered.then(() => {
      waiting = false;
    });
    while (waiting) {
      turns += 1;
      // Long enough for all of them to have knocked.
      const until = performance.now() + 5;
      while (performance.now() < until);
      await new Promise(setImmediate);
    }
    expect((await answered).every((answer) => answer.startsWith('HTTP/1.1 200'))).toBe(true);
    expect(turns).toBeLessThan(newcomers);
  });

  it('counts clients by the address of their connection', async () => {
    const { url } = await listening();
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      const answer = await fetch(`${url}/api/summary`, {
        method: 'POST',
        body: JSON.stringify({ admin_email: 'guess@example.com' }),
        headers: { 'x-forwarded-for': `203.0.113.${guess}` },
      });
      statuses.push(answer.status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  it('refuses a body without end at the limit, and goes on', async () => {
    const { url, port } = await listening();
    const head =
      'POST /api/signups HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
    const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`;
    expect(await exchange(port, `${head}${chunk.repeat(MAX_BODY_BYTES / 0x1000 + 1)}0\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 413 [\s\S]*"code":"invalid"/,
    );
    expect((await fetch(`${url}/api/signups`, { method: 'POST', body: JSON.stringify(signupOf()) })).status).toBe(201);
  });

  it.each([
    ['a body', 'POST /api/signups HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n{'],
    ['headers', 'POST /api/signups HTTP/1.1\r\nHost: x\r\n'],
    // Far less than the 30 seconds after which Node looks by itself.
  ])('closes the connection of %s that never end when the time is over', { timeout: 15_000 }, async (_, bytes) => {
    const { port } = await listening(['127.0.0.1'], 0, { requestTimeoutMs: 600 });
    expect(await exchange(port, bytes)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('says how long the answer to a request for mail is', async () => {
    const { port } = await listening();
    const body = JSON.stringify({ email: 'me@example.org' });
    const answer = await exchange(
      port,
      `POST /api/welcome-email HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 202 [\s\S]*\r\ncontent-length: 0\r\n/i);
    expect(answer).not.toMatch(/transfer-encoding/i);
  });

  it.each([
    ['a broken Host', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
    ['a broken target', 'GET /\\..\\x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: localhost\r\nbroken header\r\n\r\n'],
    ['no HTTP', 'EHLO example.com\r\n\r\n'],
  ])('answers %s with 400 and goes on', async (_, bytes) => {
    const { url, port } = await listening();
    expect(await exchange(port, bytes)).toMatch(/^HTTP\/1\.1 400 /);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});
