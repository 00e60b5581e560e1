import { readFile } from 'node:fs/promises';
import path, { matchesGlob } from 'node:path';
import { createEarlyAccess } from 'early-access-server';
import { softwareAuthenticator } from 'early-access-server/fixtures';
import { readVerifyHuman } from 'early-access-server/internal';
import { describe, expect, it } from 'vitest';
import {
  type AdminRequest,
  ask as askAdmin,
  deliverSignInRequests,
  openMailedLink,
  signIn,
} from '../fixtures/admin-session.ts';
import { ADMIN, harness } from '../fixtures/harness.ts';
import { firebaseJson } from '../init/firebase-json.ts';
import { toObjects } from '../init/json.ts';
import { SIGN_IN_REQUESTS } from './sign-in-requests.ts';

const b = await harness();
const ask = (path: string, request?: AdminRequest) => askAdmin(b, path, request);

async function requests() {
  return (await b.db.collection(SIGN_IN_REQUESTS).get()).docs;
}

describe('signing in on Firebase', () => {
  it('stores the same document for every address, and only mails a link to the admin, once', async () => {
    for (const email of ['eve@example.org', ADMIN]) {
      const response = await ask('/api/admin/sign-in', { body: { email } });
      expect([response.status, await response.text()]).toEqual([202, '']);
      // Hosting removes cookies from responses that are not private.
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      expect(response.headers.get('set-cookie')).toMatch(/^early_access_asked=1; .*Path=\/admin/);
    }
    expect((await requests()).map((document) => Object.keys(document.data()).sort())).toEqual(
      Array(2).fill(['email', 'expires_at']),
    );
    expect(b.mailServer.recipients).toEqual([]);
    await deliverSignInRequests(b);
    expect(b.mailServer.recipients).toEqual([ADMIN]);
    expect(await requests()).toEqual([]);
  });

  it('sends no link for a request that is more than 15 minutes old', async () => {
    await ask('/api/admin/sign-in', { body: { email: ADMIN } });
    b.clock.now += 15 * 60_000;
    await deliverSignInRequests(b);
    expect(b.mailServer.recipients).toEqual([]);
  });

  it('opens a session in the cookie that Hosting forwards, until the admin signs out', async () => {
    const cookie = await signIn(b);
    expect(cookie).toMatch(/^__session=[\w-]{43}$/);
    const session = await ask('/api/admin/session', { cookie });
    expect([session.status, session.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(await session.json()).toMatchObject({ email: ADMIN });
    expect((await ask('/api/admin/sign-out', { cookie, body: {} })).status).toBe(204);
    expect((await ask('/api/admin/session', { cookie })).status).toBe(401);
  });
});

it('invites a viewer, who only sees figures, signs in with a passkey, and has no access once removed', async () => {
  await b.signUp('ada@example.org');
  const owner = await signIn(b);
  const invited = await ask('/api/admin/team', { cookie: owner, body: { email: 'eve@acme.example', role: 'viewer' } });
  const { id }: { id: string } = JSON.parse(await invited.text());
  const cookie = await openMailedLink(b, 'eve@acme.example');
  expect(await (await ask('/api/admin/session', { cookie })).json()).toMatchObject({ role: 'viewer', is_owner: false });
  expect((await ask('/api/admin/list', { cookie })).status).toBe(200);
  expect((await ask('/api/admin/people', { cookie })).status).toBe(403);

  const device = softwareAuthenticator('https://www.acme.example');
  const challenge = async (path: string, given?: string): Promise<string> => {
    const response = await ask(path, { body: {}, ...(given !== undefined && { cookie: given }) });
    return JSON.parse(await response.text()).options.challenge;
  };
  const passkey = device.create(await challenge('/api/admin/passkeys/options', cookie));
  const added = await ask('/api/admin/passkeys', { cookie, body: { name: 'Phone', response: passkey } });
  expect(added.status).toBe(200);
  const use = async () => {
    const response = device.get(await challenge('/api/admin/passkey-sign-in/options'));
    return ask('/api/admin/passkey-sign-in', { body: { response } });
  };
  const opened = await use();
  const byPasskey = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  expect([opened.status, byPasskey]).toEqual([204, expect.stringMatching(/^__session=[\w-]{43}$/)]);
  expect((await ask('/api/admin/session', { cookie: byPasskey })).status).toBe(200);

  expect((await ask(`/api/admin/team/${id}/remove`, { cookie: owner, body: {} })).status).toBe(204);
  for (const ended of [cookie, byPasskey])
    expect((await ask('/api/admin/session', { cookie: ended })).status).toBe(401);
  expect((await use()).status).toBe(400);
});

it('serves an agent the tools of its key over HTTP, each message by itself', async () => {
  const cookie = await signIn(b);
  const made = await ask('/api/admin/api-keys', { cookie, body: { name: 'Agent', scopes: ['analytics'] } });
  const { secret: key }: { secret: string } = JSON.parse(await made.text());
  const accept = 'application/json, text/event-stream';
  const send = async (method: string, params = {}) => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const response = await ask('/api/admin/mcp', { key, accept, body });
    expect(response.status).toBe(200);
    return response.text();
  };
  const tools = [...(await send('tools/list')).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);
  expect(tools).toEqual(expect.arrayContaining(['getAdminDashboard', 'getAdminList']));
  expect(tools.filter((name) => name?.includes('People'))).toEqual([]);
  expect(await send('tools/call', { name: 'getAdminList', arguments: {} })).toContain('\\"counts\\"');
  expect((await ask('/api/admin/mcp', { accept, body: {} })).status).toBe(401);
  const audit = JSON.parse(await (await ask('/api/admin/audit?limit=1', { cookie })).text());
  expect(audit.entries).toMatchObject([{ action: 'api-key-used', api_key: 'Agent', route: 'GET /api/admin/list' }]);
});

it('mails the last week’s figures by the schedule, once, to the admin who asked for it', async () => {
  const cookie = await signIn(b);
  await ask('/api/admin/settings', { cookie, body: { weekly_email: true } });
  for (let times = 0; times < 2; times += 1) {
    expect((await fetch(b.functions.functionUrl('sweep-mails'), { method: 'POST' })).status).toBe(200);
  }
  // The first email is the link.
  expect(b.mailServer.recipients).toEqual([ADMIN, ADMIN]);
});

describe('the function', () => {
  it.each(['/', '/api/signups', '/api/sessions', '/api/administrator', '/healthz'])('has no %s', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  it('responds with 503 if a setting is invalid, and logs which one', async () => {
    await b.deploy({ publicUrl: 'acme' });
    const response = await ask('/api/admin/session');
    expect([response.status, await response.json()]).toMatchObject([503, { error: { code: 'unavailable' } }]);
    expect(b.log).toMatchObject([{ event: 'admin-failed', fields: { reason: expect.stringContaining('PUBLIC_URL') } }]);
  });
});

describe('the OpenAPI document', () => {
  const SITE = 'https://www.acme.example';
  const PUBLIC_ROUTES = {
    ...{ statusPage: true, agentDocs: true, signupCount: { smallest: 1 } },
    hostedForms: { joinPage: true, origins: ['https://shop.example'] },
  };
  /** Returns the function to which Hosting rewrites a path. */
  const rewrites = toObjects(
    firebaseJson({ functions: 'functions', region: 'us-central1', site: 'public', pathsOfSite: [] }).hosting.rewrites,
  );
  const findFunction = (path: string) => {
    const rewrite = rewrites.find(({ source }) => typeof source === 'string' && matchesGlob(path, source));
    return toObjects(rewrite?.function)[0]?.functionId;
  };
  type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
  const readDocument = async (): Promise<Document> => JSON.parse(await (await ask('/api/openapi.json')).text());

  it('only lacks the server routes that the guide names', async () => {
    const guide = await readFile(path.join(import.meta.dirname, '../../../../docs/firestore.md'), 'utf8');
    const [, table = ''] = /^## What each store has\n([\s\S]*?)^## /m.exec(guide) ?? [];
    const key = 'k'.repeat(32);
    const server = createEarlyAccess({
      ...PUBLIC_ROUTES,
      ...{ store: b.store, invites: { url: new URL(SITE), key }, mailEvents: { postmark: key }, metrics: { key } },
      verifyHuman: readVerifyHuman({ HUMAN_CHECK: 'proof-of-work', HUMAN_CHECK_SECRET: key }) ?? undefined,
    });
    const response = await server.fetch(new Request(`${SITE}/api/openapi.json`));
    const { paths }: Document = JSON.parse(await response.text());
    const missing = Object.keys(paths).filter((route) => findFunction(route.replaceAll(/\{\w+\}/g, 'x')) === undefined);
    expect(missing.filter((route) => !table.includes(`\`${route}\``))).toEqual([]);
    expect(missing).toContain('/api/summary');
  });

  it('only describes routes that a function responds to', async () => {
    await b.deploy({ publicRoutes: PUBLIC_ROUTES });
    const { paths } = await readDocument();
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/api/admin/people', '/api/confirm', '/api/signups', '/api/status', '/join', '/healthz']),
    );
    for (const [path, operations] of Object.entries(paths)) {
      const name = findFunction(path.replaceAll(/\{\w+\}/g, 'x')) ?? expect.fail(`Hosting does not pass on ${path}`);
      for (const method of Object.keys(operations)) {
        const response = await fetch(b.functions.functionUrl(String(name)) + path.replaceAll(/\{\w+\}/g, 'x'), {
          method: method.toUpperCase(),
          ...(method === 'post' && { body: '{}', headers: { 'content-type': 'application/json' } }),
        });
        expect([path, await response.text()]).not.toEqual([path, expect.stringContaining('no such route')]);
      }
    }
  });
});
