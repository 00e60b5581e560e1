import { expect, it, vi } from 'vitest';
import { newApiKey, newToken } from '../../app/access/secrets.ts';
import { appHarness } from '../../fixtures/app-harness.ts';
import { fakeList } from '../../fixtures/fake-list.ts';

const KEY = 'k'.repeat(32);

function harness(options: Parameters<typeof appHarness>[0] = {}) {
  const fake = fakeList();
  const invites = { url: new URL('https://app.example/join'), key: KEY };
  const app = appHarness({ list: fake.list, invites, ...options });
  const call = (route: string, token: unknown, headers: Record<string, string> = { authorization: `Bearer ${KEY}` }) =>
    app.post(`/api/invites/${route}`, { token }, { headers: { 'content-type': 'application/json', ...headers } });
  return { ...app, ...fake, call };
}

it.each([newToken(), '', 7, null, 'x'.repeat(20_000)])('knows no token such as %.10j', async (token) => {
  const { call } = harness();
  for (const route of ['verify', 'redeem']) {
    const response = await call(route, token);
    expect([response.status, await response.json()]).toEqual([200, { result: 'unknown' }]);
  }
});

it('limits wrong keys, which do not keep the right one out', async () => {
  const { call, token } = harness({ rateLimits: { wrongInviteKeys: { burst: 2, perMinute: 1 } } });
  const wrong = async () => (await call('verify', token, { authorization: 'Bearer x' })).status;
  expect([await wrong(), await wrong(), await wrong()]).toEqual([401, 401, 429]);
  expect((await call('verify', token)).status).toBe(200);
});

it('looks no API key up for a client whose limit is exhausted', async () => {
  const { call, token, store } = harness({ rateLimits: { adminRequests: { burst: 2, perMinute: 1 } } });
  const find = vi.spyOn(store.apiKeys, 'find');
  const wrong = async () => (await call('verify', token, { authorization: `Bearer ${newApiKey()}` })).status;
  expect([await wrong(), await wrong(), await wrong()]).toEqual([401, 401, 429]);
  expect(find).toHaveBeenCalledTimes(2);
});

it('does not exist unless a key is configured, and never for pages of other sites', async () => {
  const { call, token } = harness({ invites: undefined });
  expect((await call('redeem', token)).status).toBe(404);
  const open = harness();
  const headers = { authorization: `Bearer ${KEY}`, origin: 'https://evil.test' };
  expect((await open.call('redeem', open.token, headers)).status).toBe(403);
});
