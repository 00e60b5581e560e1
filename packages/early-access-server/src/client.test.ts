import type { RequestListener } from 'node:http';
import { serveHttp } from '@early-access-kit/testkit/http-server';
import { expect, it, onTestFinished, vi } from 'vitest';
import { hashToken, newApiKey } from './app/access/secrets.ts';
import { inviteClient } from './client.ts';
import { appHarness } from './fixtures/app-harness.ts';
import { fakeList } from './fixtures/fake-list.ts';
import { listen } from './http/application/listen.ts';
import type { InviteOptions } from './http/application/options.ts';

const KEY = 'k'.repeat(32);

async function serve(options: Parameters<typeof appHarness>[0] = {}) {
  const fake = fakeList();
  const invites: InviteOptions = { url: new URL('https://app.example/join'), key: KEY };
  const { app, store } = appHarness({ list: fake.list, invites, ...options });
  const listening = await listen({ app, port: 0, hosts: ['127.0.0.1'] });
  onTestFinished(() => listening.close(0));
  return { ...fake, store, url: `http://127.0.0.1:${listening.port}` };
}

/** A server that is not ours. */
async function stranger(respond: RequestListener): Promise<string> {
  const server = await serveHttp(respond);
  onTestFinished(server.close);
  return server.origin;
}

it('verifies and redeems', async () => {
  const { url, token } = await serve();
  const invites = inviteClient({ url, key: KEY });
  expect(await invites.verify(token)).toEqual({ result: 'valid' });
  expect(await invites.redeem(token)).toEqual({ result: 'redeemed', email: 'ada@example.org', id: 'person-1' });
  expect(await invites.redeem(token)).toEqual({ result: 'used' });
  expect(await invites.verify(token)).toEqual({ result: 'used' });
  expect(await invites.redeem('no token')).toEqual({ result: 'unknown' });
});

it('admits by address, or by an invitation', async () => {
  const { url, token } = await serve();
  const invites = inviteClient({ url, key: KEY });
  expect(await invites.admit({ email: 'Ada@Example.org' })).toEqual({ result: 'admitted', id: 'person-1' });
  expect(await invites.admit({ email: 'bob@example.org' })).toEqual({ result: 'unknown' });
  expect(await invites.admit({ email: 'bob@example.org', token })).toEqual({ result: 'admitted', id: 'person-1' });
  expect(await invites.admit({ email: 'bob@example.org', token })).toEqual({ result: 'used' });
  for (const email of ['', 'x'.repeat(5_000)]) {
    expect(await invites.admit({ email, token: 'none' })).toEqual({ result: 'unknown' });
  }
});

it('takes an API key with the scope redeem, and no other', async () => {
  const { url, token, store } = await serve();
  const [right, wrong] = [newApiKey(), newApiKey()];
  await store.apiKeys.add({ hash: hashToken(right), name: 'Product', scopes: ['redeem'] });
  await store.apiKeys.add({ hash: hashToken(wrong), name: 'Reports', scopes: ['analytics', 'people'] });
  const refused = { result: 'failed', reason: 'wrong-key' };
  expect(await inviteClient({ url, key: wrong }).redeem(token)).toEqual(refused);
  expect(await inviteClient({ url, key: newApiKey() }).redeem(token)).toEqual(refused);
  expect(await inviteClient({ url, key: right }).redeem(token)).toMatchObject({ result: 'redeemed' });
});

it('logs a wrong key once, and so does the server', async () => {
  const log = vi.fn();
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => error.mockRestore());
  const { url, token } = await serve({ noteMistake: log });
  const invites = inviteClient({ url, key: 'wrong' });
  await invites.verify(token);
  await invites.redeem(token);
  expect(error.mock.calls).toEqual([[expect.stringContaining('it must be its INVITE_KEY')]]);
  expect(log).toHaveBeenCalledWith('invite-key-wrong');
});

it('refuses a missing key and a URL without a scheme at once', () => {
  expect(() => inviteClient({ url: 'https://www.example.com', key: '' })).toThrow('key must be the INVITE_KEY');
  expect(() => inviteClient({ url: 'www.example.com', key: KEY })).toThrow('url must be where the server is');
});

it('returns what is wrong with the configuration, and that calls are limited', async () => {
  const { url, token } = await serve({ rateLimits: { invites: { burst: 1, perMinute: 1 } } });
  expect(await inviteClient({ url, key: 'wrong' }).verify(token)).toEqual({ result: 'failed', reason: 'wrong-key' });
  const invites = inviteClient({ url: new URL(url), key: KEY });
  expect(await invites.verify(token)).toEqual({ result: 'valid' });
  expect(await invites.redeem(token)).toEqual({ result: 'failed', reason: 'rate-limited' });
  const off = await serve({ invites: undefined });
  const reason = 'not-configured';
  expect(await inviteClient({ url: off.url, key: KEY }).verify(token)).toEqual({ result: 'failed', reason });
});

it.each<[string, RequestListener]>([
  ['never responds', () => {}],
  ['stalls', (_, response) => response.writeHead(200).write('{"result":')],
  ['is a page', (_, response) => response.end('<html>')],
  ['says something else', (_, response) => response.end('{"result":"redeemed"}')],
  ['fails', (_, response) => response.writeHead(500).end('{"result":"valid"}')],
  ['redirects', (_, response) => response.writeHead(307, { location: 'https://evil.test/' }).end()],
  ['breaks off', (_, response) => response.destroy()],
])('returns `unavailable` for a server that %s', async (_, respond) => {
  const invites = inviteClient({ url: await stranger(respond), key: KEY, timeoutMs: 300 });
  const failure = { result: 'failed', reason: 'unavailable' };
  expect([await invites.verify('x'), await invites.redeem('x')]).toEqual([failure, failure]);
});

it('returns `unavailable` if there is no server', async () => {
  const failure = { result: 'failed', reason: 'unavailable' };
  expect(await inviteClient({ url: 'http://127.0.0.1:1', key: KEY }).verify('x')).toEqual(failure);
});
