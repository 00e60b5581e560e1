import { type IncomingMessage, request } from 'node:http';
import { serveHttp } from '@early-access-kit/testkit/http-server';
import { expect, it, onTestFinished } from 'vitest';
import { appHarness } from '../../fixtures/app-harness.ts';
import { nodeMiddleware } from './node-middleware.ts';

type Host = (request: IncomingMessage & { body?: unknown; originalUrl?: string }) => Promise<void> | void;

/**
 * A host that does something with each request before the application sees it, and responds 418 to what is not the
 * application's.
 */
async function hosted(before: Host = () => {}) {
  const harness = appHarness();
  const handle = nodeMiddleware(harness.app);
  const server = await serveHttp(async (request, response) => {
    await before(request);
    handle(request, response, () => response.writeHead(418).end());
  });
  onTestFinished(server.close);
  return { ...harness, origin: server.origin };
}

async function readText(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}

const FORM = { method: 'POST', body: new URLSearchParams({ email: 'ada@example.org' }) };

it('responds on the application’s paths, and passes on all others', async () => {
  const { origin, store } = await hosted();
  expect((await fetch(`${origin}/api/signup-form`, FORM)).status).toBe(201);
  expect([...store.signups()]).toHaveLength(1);
  for (const path of ['/', '/api/other', '/signups', '//', '/%E0%A4%A']) {
    expect((await fetch(`${origin}${path}`)).status).toBe(418);
  }
});

it('responds to every path if there is no one to pass it on to', async () => {
  const { app } = appHarness();
  const handle = nodeMiddleware(app);
  const server = await serveHttp((request, response) => handle(request, response));
  onTestFinished(server.close);
  expect((await fetch(`${server.origin}/api/other`)).status).toBe(404);
});

it('uses the whole path if a router has removed a part of it', async () => {
  const { origin } = await hosted((request) => {
    request.originalUrl = request.url ?? '';
    request.url = '/signup-form';
  });
  expect((await fetch(`${origin}/api/signup-form`, FORM)).status).toBe(201);
});

it('refuses two Host headers, of which a proxy may have read the other', async () => {
  const { origin, store } = await hosted();
  const response = Promise.withResolvers<IncomingMessage>();
  const headers = ['Host', 'a', 'host', 'b', 'Content-Type', 'application/x-www-form-urlencoded'];
  request(`${origin}/api/signup-form`, { method: 'POST', headers }, response.resolve).end(FORM.body.toString());
  expect((await response.promise).statusCode).toBe(400);
  expect([...store.signups()]).toEqual([]);
});

it('limits each client by the address of its socket', async () => {
  const { origin, log } = await hosted();
  await fetch(`${origin}/api/signup-form`, FORM);
  expect(log.filter(({ event }) => event === 'mount-mistake')).toEqual([]);
});

it.each([
  [
    'a parsed form',
    async (request: IncomingMessage) => Object.fromEntries(new URLSearchParams(await readText(request))),
  ],
  ['text', readText],
  ['bytes', async (request: IncomingMessage) => Buffer.from(await readText(request))],
])('takes a body that was read before as %s', async (_, parse) => {
  const { origin, store } = await hosted(async (request) => {
    request.body = await parse(request);
  });
  expect((await fetch(`${origin}/api/signup-form`, FORM)).status).toBe(201);
  expect([...store.signups()].map(({ email }) => email)).toEqual(['ada@example.org']);
});

it('takes JSON that was parsed before', async () => {
  const { origin } = await hosted(async (request) => {
    request.body = JSON.parse(await readText(request));
  });
  const summary = (admin_email: string) =>
    fetch(`${origin}/api/summary`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ admin_email }),
    });
  expect((await summary('admin@example.com')).status).toBe(200);
  expect((await summary('ada@example.org')).status).toBe(403);
});

it('refuses parsed JSON that is nested too deeply to be written again', async () => {
  const { origin } = await hosted(async (request) => {
    request.body = JSON.parse(await readText(request));
  });
  const body = '['.repeat(50_000) + ']'.repeat(50_000);
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${origin}/api/summary`, { method: 'POST', headers, body })).status).toBe(413);
});

it('says what to do if a body was read and is gone', async () => {
  const { origin } = await hosted(async (request) => void (await readText(request)));
  const response = await fetch(`${origin}/api/signup-form`, FORM);
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('before body parsers') } });
});
