import { fileURLToPath } from 'node:url';
import { signupOf } from '@early-access-kit/testkit/records';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';
import type { ApiScope } from '../app/access/api-keys.ts';
import { newApiKey } from '../app/access/secrets.ts';
import { EVERYONE } from '../app/people/people.ts';
import { run } from '../fixtures/child-server.ts';
import { startKeyedServer } from '../fixtures/keyed-server.ts';
import { toolNames } from '../fixtures/tool-names.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));
const INVITES = { INVITE_URL: 'https://app.example/join', INVITE_KEY: 'k'.repeat(32) };

/** The client of the official SDK, connected to the command as a program for agents starts it. */
async function connect(scopes: readonly ApiScope[], mode: 'legacy' | { readonly pin: string } = 'legacy') {
  const server = await startKeyedServer(scopes, INVITES);
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const env = { EARLY_ACCESS_URL: server.url, EARLY_ACCESS_KEY: server.key, PATH: process.env.PATH ?? '' };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env }));
  onTestFinished(async () => {
    await client.close();
    server.store.close();
  });
  async function call(name: string, input: Record<string, unknown> = {}) {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [first] = content;
    return { text: first?.type === 'text' ? first.text : '', isError };
  }
  return { ...server, client, call };
}

it.each([['legacy' as const], [{ pin: '2026-07-28' }]])(
  'gives an agent a tool for each route of its scopes, with protocol %j',
  async (mode) => {
    const { client, url } = await connect(['people:add', 'invites'], mode);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['getAdminApiKeysCurrent', 'getAdminList', 'postAdminPeople']));
    const document = await fetch(new URL('/api/openapi.json', url));
    expect(names.toSorted()).toEqual(await toolNames(document, ['people:add', 'invites']));
    expect(tools.find(({ name }) => name === 'postAdminPeople')).toMatchObject({
      title: 'Adds a person who has agreed to it.',
      annotations: { readOnlyHint: false },
      inputSchema: {
        type: 'object',
        required: ['email', 'consent_text'],
        properties: { state: { enum: ['pending', 'subscribed'] }, 'Idempotency-Key': { type: 'string' } },
      },
    });
    expect(client.getInstructions()).toContain('never instructions');
  },
);

it('adds a person once, invites people, and leaves its traces in the audit', async () => {
  const { call, store, keyId } = await connect(['people:add', 'invites']);
  await store.createSignup(signupOf({ email: 'bob@example.org' }));
  const person = { email: 'ada@example.org', consent_text: 'Asked for it in our chat.', 'Idempotency-Key': 'chat 1' };
  const first = await call('postAdminPeople', person);
  expect(first).toEqual({ text: expect.stringMatching(/^\{"result":"added","id":".+"\}$/), isError: false });
  expect(await call('postAdminPeople', person)).toEqual(first);
  expect(await call('postAdminPeople', { ...person, email: 'other@example.org' })).toMatchObject({ isError: true });
  expect(JSON.parse((await call('postAdminInvites', { count: 5 })).text)).toMatchObject({ people: 1 });
  expect(await call('postAdminInvites', { count: 5, filter: { state: 'subscribed' } })).toEqual({
    text: expect.stringContaining('None of them is waiting'),
    isError: true,
  });
  expect((await store.people.count(EVERYONE)).count).toBe(2);
  const [entry] = (await store.admin.audit(100)).filter(({ action }) => action === 'add');
  expect(entry).toMatchObject({ session: keyId, api_key: 'Agent', route: 'POST /api/admin/people' });
});

it('stops when the key is revoked, and ends when stdin does', async () => {
  const { call, store, keyId, url, key } = await connect(['analytics']);
  const ended = await run(['mcp'], { EARLY_ACCESS_URL: url, EARLY_ACCESS_KEY: key }).finished;
  expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect((await call('getAdminList')).isError).toBe(false);
  await store.apiKeys.revoke(keyId);
  expect(await call('getAdminList')).toEqual({ text: expect.stringContaining('no longer works'), isError: true });
});

it.each([
  [{}, 'EARLY_ACCESS_URL must be where the server is'],
  [{ EARLY_ACCESS_URL: 'http://www.example.com' }, 'EARLY_ACCESS_URL must begin with https://'],
  [{ EARLY_ACCESS_URL: 'https://www.example.com', EARLY_ACCESS_KEY: 'secret' }, 'EARLY_ACCESS_KEY must be an API key'],
  [{ EARLY_ACCESS_URL: 'http://localhost:1', EARLY_ACCESS_KEY: newApiKey() }, 'http://localhost:1 cannot be used: '],
])('ends with a line that says what is wrong with %j', async (env, message) => {
  const { code, stdout, stderr } = await run(['mcp'], env).finished;
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`early-access-server: ${message}`);
  expect(stderr).not.toMatch(/eak_[\w-]{43}/);
});

it('says that a key does not work, without the key', async () => {
  const { url, store } = await startKeyedServer([]);
  const key = newApiKey();
  const { code, stderr } = await run(['mcp'], { EARLY_ACCESS_URL: url, EARLY_ACCESS_KEY: key }).finished;
  store.close();
  expect([code, stderr]).toEqual([1, expect.stringContaining('with 401: ')]);
  expect(stderr).not.toContain(key);
});

it('says of a tool that changes nothing that it only reads, also if it posts', async () => {
  const { client } = await connect(['redeem']);
  const { tools } = await client.listTools();
  const hints = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
  expect(Object.fromEntries(hints)).toMatchObject({ postInvitesVerify: true, postInvitesRedeem: false });
});
