import { readFileSync } from 'node:fs';
import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ApiScope } from '../../app/access/api-keys.ts';
import { newToken, sha256 } from '../../app/access/secrets.ts';
import { EVERYONE } from '../../app/admin/people.ts';
import type { AuditEntry } from '../../app/ports/admin-store.ts';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { ADMIN_EMAIL } from '../../fixtures/app-harness.ts';
import { sqliteStore } from '../../stores/sqlite/sqlite-store.ts';
import { createEarlyAccess } from '../server/early-access.ts';
import type { ApiKeysResponse, NewApiKeyResponse } from '../server/schemas/api-keys.ts';

const INVITES = { url: new URL('https://app.example/join'), key: 'k'.repeat(32) };

async function harness(options: Parameters<typeof adminHarness>[0] = {}) {
  const admin = adminHarness({ invites: INVITES, ...options });
  const cookie = await admin.signIn();
  const make = (scopes: readonly unknown[], name: unknown = 'Reports') =>
    admin.request('POST', '/admin/api-keys', { cookie, body: { name, scopes } });
  async function createKey(...scopes: ApiScope[]): Promise<NewApiKeyResponse> {
    const response = await make(scopes);
    expect(response.status).toBe(200);
    return JSON.parse(await response.text());
  }
  /** A call of a program: it sends no cookie and no origin. */
  const call = (path: string, secret: string, body?: unknown, headers?: Record<string, string>) =>
    admin.app.fetch(
      new Request(`http://localhost:4173/api${path}`, {
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      }),
      { clientAddress: '192.0.2.7' },
    );
  const readStatus = async (path: string, secret: string, body?: unknown) => (await call(path, secret, body)).status;
  const revoke = (id: string) => admin.request('POST', `/admin/api-keys/${id}/revoke`, { cookie });
  const audit = async (): Promise<readonly AuditEntry[]> =>
    JSON.parse(await (await admin.request('GET', '/admin/audit', { cookie })).text()).entries;
  return { ...admin, cookie, make, createKey, call, readStatus, revoke, audit };
}

describe('an API key', () => {
  it('is returned once and stored as its SHA-256', async () => {
    const { createKey, request, cookie, raw, file } = await harness();
    const { secret, api_key } = await createKey('analytics', 'people');
    expect(secret).toMatch(/^eak_[\w-]{43}$/);
    expect(api_key).toMatchObject({ name: 'Reports', scopes: ['analytics', 'people'], last_used_at: null });
    const list = await (await request('GET', '/admin/api-keys', { cookie })).text();
    expect(JSON.parse(list)).toEqual({ api_keys: [api_key] } satisfies ApiKeysResponse);
    expect(list).not.toContain(sha256(secret));
    expect(raw.prepare('SELECT hash FROM api_keys').all()).toEqual([{ hash: sha256(secret) }]);
    for (const part of [file, `${file}-wal`]) expect(readFileSync(part, 'latin1')).not.toContain(secret.slice(4));
  });

  it('of scope numbers reads the figures and no person, and cannot write', async () => {
    const { createKey, call, readStatus, store, revoke } = await harness();
    await store.createSignup(signupOf({ email: 'ada@example.org' }));
    const { secret, api_key } = await createKey('analytics');
    const list = await call('/admin/list', secret);
    expect([list.status, JSON.parse(await list.text()).counts.subscribed]).toEqual([200, 1]);
    expect(await readStatus('/admin/dashboard?range=7d', secret)).toBe(200);
    for (const path of ['people', 'people/count?search=ada', 'people.csv', 'people/1', 'mail', 'api-keys', 'session']) {
      const refused = await call(`/admin/${path}`, secret);
      expect([path, refused.status]).toEqual([path, 403]);
      expect(await refused.text()).not.toContain('ada@');
    }
    expect(await readStatus('/admin/people/forget', secret, { ids: ['1'] })).toBe(403);
    expect(await readStatus('/admin/api-keys', secret, { name: 'Mine', scopes: ['people'] })).toBe(403);
    expect(await readStatus(`/admin/api-keys/${api_key.id}/revoke`, secret, {})).toBe(403);
    expect(await readStatus('/invites/redeem', secret, { token: newToken() })).toBe(403);
    expect([await store.people.count(EVERYONE), await store.apiKeys.list()]).toMatchObject([1, [{ name: 'Reports' }]]);
    expect((await revoke(api_key.id)).status).toBe(204);
  });

  it('of scope people reads people; a download is in the audit with the key', async () => {
    const { createKey, call, readStatus, store, audit } = await harness();
    await store.createSignup(signupOf({ email: 'ada@example.org' }));
    const { secret, api_key } = await createKey('people');
    expect(await (await call('/admin/people', secret)).text()).toContain('ada@example.org');
    expect(await (await call('/admin/people.csv', secret)).text()).toContain('ada@example.org');
    expect(await readStatus('/admin/list', secret)).toBe(403);
    const route = 'GET /api/admin/people.csv';
    const author = { session: api_key.id, api_key: 'Reports' };
    expect((await audit()).slice(0, 3)).toMatchObject([
      { ...author, action: 'api-key-refused', route: 'GET /api/admin/list' },
      { ...author, action: 'export', count: 1, route },
      { ...author, action: 'api-key-used', route },
    ]);
  });

  it('of scope redeem verifies and redeems invitations beside INVITE_KEY', async () => {
    const { createKey, call, readStatus } = await harness();
    const { secret } = await createKey('redeem');
    for (const key of [secret, INVITES.key]) {
      const response = await call('/invites/redeem', key, { token: newToken() });
      expect([response.status, await response.json()]).toEqual([200, { result: 'unknown' }]);
    }
    expect(await readStatus('/admin/people', secret)).toBe(403);
    expect(await readStatus('/invites/verify', `eak_${newToken()}`, { token: newToken() })).toBe(401);
  });

  it('leaves an entry for each use, with the pattern of the route and no address of a person', async () => {
    const { createKey, readStatus, audit, revoke, clock } = await harness();
    const { secret, api_key } = await createKey('people');
    clock.now += 60_000;
    for (const path of ['people?search=ada@example.org', 'people/ada@example.org', 'people/ada@example.org'])
      await readStatus(`/admin/${path}`, secret);
    await revoke(api_key.id);
    const entries = (await audit()).slice(0, 5);
    const used = { at: clock.now, session: api_key.id, action: 'api-key-used', count: 1, api_key: 'Reports' };
    expect(entries).toEqual([
      {
        at: clock.now,
        session: expect.any(String),
        admin: ADMIN_EMAIL,
        action: 'revoke-api-key',
        count: 1,
        api_key: 'Reports',
      },
      { ...used, route: 'GET /api/admin/people/:id' },
      { ...used, route: 'GET /api/admin/people/:id' },
      { ...used, route: 'GET /api/admin/people' },
      { ...entries[0], at: clock.now - 60_000, action: 'add-api-key' },
    ]);
    expect(JSON.stringify(entries).replaceAll(ADMIN_EMAIL, '')).not.toContain('@');
  });

  it('stops at once in every process when it is revoked', async () => {
    const { createKey, call, revoke, file } = await harness();
    const store = sqliteStore({ file });
    onTestFinished(() => store.close());
    const other = createEarlyAccess({ store, adminEmail: 'admin@example.com' });
    const { secret, api_key } = await createKey('analytics');
    const request = () =>
      new Request('http://localhost:4173/api/admin/list', { headers: { authorization: `Bearer ${secret}` } });
    expect([(await other.fetch(request())).status, (await call('/admin/list', secret)).status]).toEqual([200, 200]);
    expect((await revoke(api_key.id)).status).toBe(204);
    const refused = await other.fetch(request());
    expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining('no longer works')]);
    expect((await call('/admin/list', secret)).status).toBe(401);
    expect((await revoke(api_key.id)).status).toBe(404);
  });

  it('is in no log and no response after any failure', async () => {
    const { createKey, call, store, log } = await harness();
    const { secret } = await createKey('people');
    vi.spyOn(store.people, 'list').mockRejectedValue(new Error('disk I/O error'));
    vi.spyOn(store.apiKeys, 'recordUse').mockRejectedValueOnce(new Error('disk I/O error'));
    const bodies = [];
    for (const key of [secret, secret, `${secret}x`, `eak_${newToken()}`])
      bodies.push(await (await call('/admin/people', key)).text());
    expect(bodies.join()).toContain('the server failed');
    expect(log.map(({ event }) => event)).toContain('request-failed');
    for (const text of [JSON.stringify(log), ...bodies])
      for (const part of ['eak_', secret.slice(4), sha256(secret)]) expect(text).not.toContain(part);
  });

  it('serves no page of another site', async () => {
    const { createKey, call } = await harness();
    const { secret } = await createKey('analytics');
    for (const headers of [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await call('/admin/list', secret, undefined, headers)).status).toBe(403);
  });
});

describe('limits', () => {
  it('hold for one key from all clients together', async () => {
    const { createKey, readStatus, audit } = await harness({
      rateLimits: { apiKeyRequests: { burst: 2, perMinute: 1 } },
    });
    const [first, second] = [await createKey('analytics'), await createKey('analytics')];
    const statuses = [];
    for (const { secret } of [first, first, first, second]) statuses.push(await readStatus('/admin/list', secret));
    expect(statuses).toEqual([200, 200, 429, 200]);
    expect((await audit()).filter(({ action }) => action === 'api-key-used')).toHaveLength(3);
  });

  it('hold for keys that do not exist, and keep the right one in', async () => {
    const { createKey, readStatus } = await harness({ rateLimits: { wrongApiKeys: { burst: 2, perMinute: 1 } } });
    const { secret } = await createKey('analytics');
    const statuses = [];
    for (let tries = 0; tries < 3; tries += 1) statuses.push(await readStatus('/admin/list', `eak_${newToken()}`));
    expect([...statuses, await readStatus('/admin/list', secret)]).toEqual([401, 401, 429, 200]);
  });
});

describe('making a key', () => {
  it.each([
    [[], 'Reports', 'scopes must list'],
    [['analytics', 'write'], 'Reports', 'scopes must list'],
    ['analytics', 'Reports', 'scopes must list'],
    [['analytics'], '  ', 'name must be'],
    [['analytics'], 'x'.repeat(81), 'name must be'],
    [['analytics'], 'of\nada', 'name must be'],
    [['analytics'], 'ada@example.org', 'name must be'],
    [['analytics'], 7, 'name must be'],
  ])('refuses the scopes %j of %j', async (scopes, name, message) => {
    const { request, cookie, store } = await harness();
    const response = await request('POST', '/admin/api-keys', { cookie, body: { name, scopes } });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)]);
    expect(await store.apiKeys.list()).toEqual([]);
  });

  it('stops at 50 keys', async () => {
    const { make } = await harness();
    const statuses = [];
    for (let keys = 0; keys < 51; keys += 1) statuses.push((await make(['analytics'])).status);
    expect(statuses).toEqual([...Array.from({ length: 50 }, () => 200), 400]);
  });
});
