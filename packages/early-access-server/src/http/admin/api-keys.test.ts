import { readFileSync } from 'node:fs';
import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it, vi } from 'vitest';
import type { ApiScope } from '../../app/access/api-keys.ts';
import { newToken, sha256 } from '../../app/access/secrets.ts';
import { EVERYONE } from '../../app/people/people.ts';
import type { AuditEntry } from '../../app/ports/admin-store.ts';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { ADMIN_EMAIL } from '../../fixtures/app-harness.ts';
import type { ApiKeysResponse, NewApiKeyResponse } from '../routing/schemas/api-keys.ts';

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
  const readStatus = async (...request: Parameters<typeof call>) => (await call(...request)).status;
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
    const refused = await call('/admin/people/search', secret, { search: 'ada' });
    expect([refused.status, await refused.text()]).toEqual([403, expect.not.stringContaining('ada@')]);
    expect(await readStatus('/invites/redeem', secret, { token: newToken() })).toBe(403);
    expect([(await revoke(api_key.id)).status, (await revoke(api_key.id)).status]).toEqual([204, 404]);
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

  it('of scope people:add adds people who have agreed, and reads none', async () => {
    const { createKey, call, store, audit } = await harness();
    await store.createSignup(signupOf({ email: 'off@example.org' }));
    await store.list.changePerson('off@example.org', 'unsubscribe', 'admin');
    const { secret } = await createKey('people:add');
    const add = async (body: object) => {
      const response = await call('/admin/people', secret, body);
      return [response.status, JSON.parse(await response.text()).result];
    };
    const consent_text = 'Ticked the box of our survey.';
    expect(await add({ email: 'ada@example.org' })).toEqual([400, undefined]);
    expect(await add({ email: 'ada@example.org', consent_text })).toEqual([200, 'added']);
    expect(await add({ email: 'off@example.org', consent_text, state: 'subscribed' })).toEqual([200, 'on-list']);
    const { people } = await store.people.list({ ...EVERYONE, sort: 'newest', limit: 10, after: null });
    expect(people).toMatchObject([
      { email: 'ada@example.org', state: 'pending', source: 'api', consent_text },
      { email: 'off@example.org', state: 'unsubscribed' },
    ]);
    expect((await audit())[1]).toMatchObject({ action: 'add', api_key: 'Reports', route: 'POST /api/admin/people' });
  });

  it('of scope people:write unsubscribes and corrects people, and erases none', async () => {
    const { createKey, readStatus, store } = await harness();
    await store.createSignup(signupOf({ email: 'ada@example.org' }));
    const id = (await store.people.listed(['ada@example.org'])).get('ada@example.org')?.id ?? '';
    const { secret } = await createKey('people:write');
    expect(await readStatus(`/admin/people/${id}/correct`, secret, { email: 'new@example.org' })).toBe(204);
    expect(await readStatus('/admin/people/unsubscribe', secret, { ids: [id] })).toBe(200);
    expect(await store.people.find(id)).toMatchObject({ email: 'ada@example.org', state: 'unsubscribed' });
    // It would tell whether the address is on the list.
    const label = { people: 1, add: ['VIP'] };
    expect(await readStatus('/admin/bulk/label', secret, { ...label, filter: { search: 'person' } })).toBe(403);
  });

  it('of scope invites invites the next people or a certain one, and reads the waves', async () => {
    const { createKey, call, readStatus, store } = await harness();
    for (const name of ['a', 'b', 'c']) await store.createSignup(signupOf({ email: `${name}@example.org` }));
    const { secret } = await createKey('invites');
    const invite = async (body: object) => JSON.parse(await (await call('/admin/invites', secret, body)).text());
    expect(await invite({ count: 1 })).toMatchObject({ people: 1 });
    const id = (await store.people.listed(['c@example.org'])).get('c@example.org')?.id;
    expect(await invite({ ids: [id] })).toMatchObject({ people: 1 });
    // It would tell whether the address is on the list.
    expect(await readStatus('/admin/invites', secret, { count: 1, filter: { search: 'b@example.org' } })).toBe(403);
    expect(await readStatus('/admin/invites', secret, { count: 1, after: null })).toBe(409);
    expect(JSON.parse(await (await call('/admin/list', secret)).text())).toMatchObject({
      counts: { subscribed: 1, invited: 2 },
    });
  });

  it('of scope campaigns:draft writes drafts, and sends nothing to anyone', async () => {
    const { createKey, call, readStatus, store } = await harness();
    await store.createSignup(signupOf({ email: 'ada@example.org' }));
    const { secret } = await createKey('campaigns:draft');
    const draft = { subject: 'We are open', body: 'Hello.', audience: { states: ['subscribed'] }, replaces: [] };
    const response = await call('/admin/campaigns', secret, { ...draft, revision: 'first' });
    const { id } = JSON.parse(await response.text());
    const second = { ...draft, subject: 'Open', revision: 'second', replaces: ['first'] };
    expect(await readStatus(`/admin/campaigns/${id}`, secret, second)).toBe(204);
    expect(await (await call('/admin/campaigns', secret)).text()).toContain('"subject":"Open"');
    const size = await call('/admin/campaigns/audience', secret, draft.audience);
    expect(JSON.parse(await size.text())).toEqual({ people: 1, everyone: 1, is_partial: false });
    expect(await readStatus(`/admin/campaigns/${id}/state`, secret, { to: 'sending' })).toBe(403);
    expect(await store.campaigns.find(id)).toMatchObject({ state: 'draft', subject: 'Open' });
  });

  it('reads its own name and scopes', async () => {
    const { createKey, call, request, cookie } = await harness();
    const { secret, api_key } = await createKey('invites', 'people:add');
    const { api_key: current } = JSON.parse(await (await call('/admin/api-keys/current', secret)).text());
    expect(current).toEqual({ ...api_key, last_used_at: expect.any(Number) });
    expect((await request('GET', '/admin/api-keys/current', { cookie })).status).toBe(404);
  });

  it('leaves an entry for each use, with the pattern of the route and no address of a person', async () => {
    const { createKey, readStatus, audit, revoke, clock } = await harness();
    const { secret, api_key } = await createKey('people');
    clock.now += 60_000;
    await readStatus('/admin/people/search', secret, { search: 'ada@example.org' });
    for (const path of ['people/ada@example.org', 'people/ada@example.org']) await readStatus(`/admin/${path}`, secret);
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
      { ...used, route: 'POST /api/admin/people/search' },
      { ...entries[0], at: clock.now - 60_000, action: 'add-api-key' },
    ]);
    expect(JSON.stringify(entries).replaceAll(ADMIN_EMAIL, '')).not.toContain('@');
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

describe('an Idempotency-Key', () => {
  const ada = { email: 'ada@example.org', consent_text: 'Asked me at the fair.' };
  const withKey = (key: string) => ({ 'idempotency-key': key });

  it('gives the same request the same response again, and has its effect once', async () => {
    const { createKey, call, store, audit } = await harness();
    for (const name of ['a', 'b', 'c']) await store.createSignup(signupOf({ email: `${name}@example.org` }));
    const { secret } = await createKey('invites', 'people:write');
    const responses = [];
    // A structured field has quotation marks, which most clients leave out.
    for (const key of ['"monday"', 'monday', 'monday'])
      responses.push(await (await call('/admin/invites', secret, { count: 1 }, withKey(key))).text());
    expect(JSON.parse(responses[0] ?? '')).toMatchObject({ people: 1 });
    expect(new Set(responses).size).toBe(1);
    const id = (await store.people.listed(['c@example.org'])).get('c@example.org')?.id;
    const correct = () => call(`/admin/people/${id}/correct`, secret, { email: 'new@example.org' }, withKey('correct'));
    for (const response of [await correct(), await correct()])
      expect([response.status, await response.text()]).toEqual([204, '']);
    expect((await store.list.counts()).get('invited')).toBe(1);
    const actions = (await audit()).map(({ action }) => action).filter((action) => action !== 'api-key-used');
    expect(actions.slice(0, 3)).toEqual(['correct', 'invite', 'add-api-key']);
  });

  it('belongs to one request of one API key', async () => {
    const { createKey, readStatus } = await harness();
    const { secret } = await createKey('people:add', 'people:write');
    const add = (key: string, body: object) => readStatus('/admin/people', key, body, withKey('row 1'));
    expect(await add(secret, ada)).toBe(200);
    expect(await add(secret, { ...ada, email: 'bob@example.org' })).toBe(422);
    expect(await readStatus('/admin/people/unsubscribe', secret, ada, withKey('row 1'))).toBe(400);
    expect(await readStatus('/admin/people/unsubscribe', secret, { ids: ['1'] }, withKey('row 1'))).toBe(422);
    expect(await add((await createKey('people:add')).secret, { ...ada, email: 'bob@example.org' })).toBe(200);
    expect(await readStatus('/admin/people', secret, ada)).toBe(200);
  });

  it('can be used again after a refusal, and not after a failure with an unknown result', async () => {
    const { createKey, readStatus, store } = await harness();
    const { secret } = await createKey('invites');
    const invite = () => readStatus('/admin/invites', secret, { count: 1 }, withKey('now'));
    expect(await invite()).toBe(409);
    await store.createSignup(signupOf());
    vi.spyOn(store.admin, 'addAudit').mockRejectedValueOnce(new Error('disk I/O error'));
    expect([await invite(), await invite()]).toEqual([500, 409]);
    expect((await store.list.counts()).get('invited')).toBe(1);
  });

  it('must be a short text in ASCII', async () => {
    const { createKey, readStatus } = await harness();
    const { secret } = await createKey('people:add');
    for (const key of ['', 'x'.repeat(256), 'a"b', 'größe', 'a\\b'])
      expect([key, await readStatus('/admin/people', secret, ada, withKey(key))]).toEqual([key, 400]);
  });

  it('leaves nothing of a person who is erased: no address, no id, no digest that could be guessed', async () => {
    const { createKey, call, store, file } = await harness();
    const { secret } = await createKey('people:add');
    const body = JSON.stringify(ada);
    const response = await call('/admin/people', secret, ada, withKey(ada.email));
    const { id } = JSON.parse(await response.text());
    expect((await store.erase(ada.email)).traceless).toBe(true);
    const bytes = [file, `${file}-wal`].map((part) => readFileSync(part, 'latin1')).join('');
    for (const trace of [ada.email, id, sha256(ada.email), sha256(body)]) expect(bytes).not.toContain(trace);
  });
});

describe('limits', () => {
  it('hold for changes by one key, apart from what it reads', async () => {
    const { createKey, readStatus } = await harness({ rateLimits: { apiKeyWrites: { burst: 1, perMinute: 1 } } });
    const { secret } = await createKey('people', 'people:write');
    const change = () => readStatus('/admin/people/unsubscribe', secret, { ids: ['1'] });
    expect([await change(), await change(), await readStatus('/admin/people', secret)]).toEqual([200, 429, 200]);
    // It changes nothing.
    expect(await readStatus('/admin/people/search', secret, { search: 'ada' })).toBe(200);
  });

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
  it('refuses scopes that do not exist, and names that are none', async () => {
    const { request, cookie, store } = await harness();
    const post = (body: object) => request('POST', '/admin/api-keys', { cookie, body });
    for (const [scopes, name, message] of [
      [[], 'Reports', 'scopes must list'],
      [['analytics', 'write'], 'Reports', 'scopes must list'],
      ['analytics', 'Reports', 'scopes must list'],
      [['analytics'], '  ', 'name must be'],
      [['analytics'], 'x'.repeat(81), 'name must be'],
      [['analytics'], 'of\nada', 'name must be'],
      [['analytics'], 'ada@example.org', 'name must be'],
      [['analytics'], 7, 'name must be'],
    ] as const) {
      const response = await post({ name, scopes });
      const refused = [name, 400, expect.stringContaining(message)];
      expect([name, response.status, await response.text()]).toEqual(refused);
    }
    expect(await store.apiKeys.list()).toEqual([]);
  });

  it('stops at 50 keys', async () => {
    const { make } = await harness();
    const statuses = [];
    for (let keys = 0; keys < 51; keys += 1) statuses.push((await make(['analytics'])).status);
    expect(statuses).toEqual([...Array.from({ length: 50 }, () => 200), 400]);
  });
});
