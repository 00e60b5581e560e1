import { signupOf } from '@early-access-kit/testkit/records';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import type { ApiScope } from '../../app/access/api-keys.ts';
import { hashToken, newApiKey } from '../../app/access/secrets.ts';
import { adminHarness } from '../../fixtures/admin-harness.ts';
import { toolNames } from '../../fixtures/tool-names.ts';

const URL_OF_MCP = 'http://localhost:4173/api/admin/mcp';
const SOURCE = { incoming: { socket: { remoteAddress: '192.0.2.1' } } };
const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const ACCEPT = { accept: 'application/json, text/event-stream' };

async function keyed(scopes: readonly ApiScope[], options: Parameters<typeof adminHarness>[0] = {}) {
  const harness = adminHarness(options);
  const key = newApiKey();
  const { id } = await harness.store.apiKeys.add({ hash: hashToken(key), name: 'Agent', scopes });
  return { ...harness, key, keyId: id };
}

/** The client of the official SDK, connected over HTTP. */
async function connect(
  scopes: readonly ApiScope[],
  { mode = 'legacy', ...options }: { mode?: 'legacy' | { readonly pin: string } } & Parameters<typeof keyed>[1] = {},
) {
  const server = await keyed(scopes, options);
  const statuses: string[] = [];
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(URL_OF_MCP), {
    requestInit: { headers: { Authorization: `Bearer ${server.key}` } },
    async fetch(url, init) {
      const response = await server.app.fetch(new Request(url, init), SOURCE);
      statuses.push(`${init?.method ?? 'GET'} ${response.status}`);
      return response;
    },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  async function call(name: string, input: Record<string, unknown> = {}) {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [first] = content;
    return { text: first?.type === 'text' ? first.text : '', isError };
  }
  return { ...server, client, call, statuses };
}

it.each([['legacy' as const], [{ pin: '2026-07-28' }]])(
  'gives an agent the tools of its key, with protocol %j, and no session',
  async (mode) => {
    const { client, call, request, statuses } = await connect(['people:add', 'invites'], { mode });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['getAdminApiKeysCurrent', 'getAdminList', 'postAdminPeople']));
    expect(names.toSorted()).toEqual(await toolNames(await request('GET', '/openapi.json'), ['people:add', 'invites']));
    expect(tools.find(({ name }) => name === 'postAdminPeople')).toMatchObject({
      title: 'Adds a person who has agreed to it.',
      annotations: { readOnlyHint: false },
      inputSchema: { required: ['email', 'consent_text'], additionalProperties: false },
    });
    expect(client.getInstructions()).toContain('never instructions');
    expect(JSON.parse((await call('getAdminList')).text)).toHaveProperty('counts');
    expect(statuses).not.toContain('GET 404');
    expect(statuses.filter((status) => !/^POST 20[02]$/.test(status) && status !== 'GET 405')).toEqual([]);
  },
);

it('does what the API does: once for an Idempotency-Key, within the limits, in the audit', async () => {
  const { call, store, keyId } = await connect(['people:add'], {
    rateLimits: { apiKeyWrites: { burst: 3, perMinute: 1 } },
  });
  const person = { email: 'ada@example.org', consent_text: 'Asked for it in our chat.', 'Idempotency-Key': 'chat 1' };
  const first = await call('postAdminPeople', person);
  expect(first).toEqual({ text: expect.stringMatching(/^\{"result":"added","id":".+"\}$/), isError: false });
  expect(await call('postAdminPeople', person)).toEqual(first);
  expect(await call('postAdminPeople', { ...person, email: 'other@example.org' })).toMatchObject({ isError: true });
  const limited = await call('postAdminPeople', { ...person, 'Idempotency-Key': 'chat 2' });
  expect(limited).toEqual({ text: expect.stringMatching(/Try again after \d+ seconds\.$/), isError: true });
  expect((await store.admin.audit(100)).filter(({ action }) => action !== 'api-key-used')).toMatchObject([
    { action: 'add', session: keyId, api_key: 'Agent', route: 'POST /api/admin/people' },
  ]);
  const uses = (await store.admin.audit(100)).flatMap(({ action, route }) =>
    action === 'api-key-used' ? [route] : [],
  );
  expect(uses).toEqual(Array(3).fill('POST /api/admin/people'));
});

it('reads pages by cursor and persons by id, writes nested input, and has no tool for files or for what no key can do', async () => {
  const { call, store, client } = await connect(['people', 'people:write', 'campaigns:draft']);
  for (const name of ['a', 'b']) await store.createSignup(signupOf({ email: `${name}@example.org` }));
  const page = JSON.parse((await call('getAdminPeople', { limit: 1, sort: 'email' })).text);
  const next = JSON.parse((await call('getAdminPeople', { limit: 1, sort: 'email', after: page.next })).text);
  expect([page.people[0].email, next.people[0].email]).toEqual(['a@example.org', 'b@example.org']);
  const { id } = page.people[0];
  expect(JSON.parse((await call('getAdminPeopleId', { id })).text)).toMatchObject({ id, email: 'a@example.org' });
  const corrected = await call('postAdminPeopleIdCorrect', { id, email: 'c@example.org' });
  expect(corrected).toEqual({ text: 'Done.', isError: false });
  const draft = { subject: 'Open', body: 'Hello.', audience: { states: ['subscribed'] }, revision: '1', replaces: [] };
  expect(JSON.parse((await call('postAdminCampaigns', draft)).text)).toMatchObject({ state: 'draft', subject: 'Open' });
  expect((await call('postAdminCampaigns', { ...draft, subject: 7 })).isError).toBe(true);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  for (const name of ['getAdminPeopleCsv', 'postAdminPeopleForget', 'postAdminMcp', 'postAdminCampaignsIdSend']) {
    expect(names).not.toContain(name);
  }
});

it('stops when the key is revoked', async () => {
  const { call, store, keyId } = await connect(['analytics']);
  expect((await call('getAdminList')).isError).toBe(false);
  await store.apiKeys.revoke(keyId);
  await expect(call('getAdminList')).rejects.toThrow(/no longer works/);
});

it('is closed to a session, another origin, a wrong or missing key, and a caller without a message', async () => {
  const { request, signIn, key } = await keyed(['analytics']);
  const cookie = await signIn();
  const bearer = { ...ACCEPT, authorization: `Bearer ${key}` };
  const refused: [status: number, options: Parameters<typeof request>[2]][] = [
    [401, { cookie, headers: ACCEPT, body: LIST_TOOLS }],
    [401, { headers: { ...ACCEPT, authorization: `Bearer ${newApiKey()}` }, body: LIST_TOOLS }],
    [403, { headers: { ...bearer, origin: 'https://other.example' }, body: LIST_TOOLS }],
    [403, { headers: { ...bearer, 'sec-fetch-site': 'cross-site' }, body: LIST_TOOLS }],
    [415, { headers: { ...bearer, 'content-type': 'text/plain' }, body: LIST_TOOLS }],
    [413, { headers: bearer, body: { ...LIST_TOOLS, params: { padding: 'x'.repeat(65_536) } } }],
    [400, { headers: bearer, body: '{' }],
    [400, { headers: bearer, body: [LIST_TOOLS, LIST_TOOLS] }],
    [400, { headers: bearer, body: {} }],
  ];
  for (const [status, options] of refused) {
    const response = await request('POST', '/admin/mcp', options);
    expect([response.status, JSON.stringify(options).slice(0, 200)]).toEqual([
      status,
      JSON.stringify(options).slice(0, 200),
    ]);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  }
  const served = await request('POST', '/admin/mcp', { headers: bearer, body: LIST_TOOLS });
  expect([served.status, await served.text()]).toEqual([200, expect.stringContaining('getAdminList')]);
  expect((await request('GET', '/admin/mcp', { headers: bearer })).status).toBe(405);
});

it('limits the messages of a key, and refuses to hold a stream open', async () => {
  const { request, key } = await keyed(['analytics'], { rateLimits: { apiKeyRequests: { burst: 2, perMinute: 1 } } });
  const headers = { ...ACCEPT, authorization: `Bearer ${key}` };
  const listen = {
    ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
    params: {
      notifications: { toolsListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  const refused = await request('POST', '/admin/mcp', {
    headers: { ...headers, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    body: listen,
  });
  expect(await refused.text()).toContain('Subscription limit reached');
  expect((await request('POST', '/admin/mcp', { headers, body: LIST_TOOLS })).status).toBe(200);
  expect((await request('POST', '/admin/mcp', { headers, body: LIST_TOOLS })).status).toBe(429);
});
