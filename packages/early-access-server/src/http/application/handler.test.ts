import { DatabaseSync } from 'node:sqlite';
import { EXAMPLE_DECLARATIONS } from '@early-access-kit/testkit/fields';
import { signupOf } from '@early-access-kit/testkit/records';
import { httpAdapter } from 'early-access-kit/adapters/http';
import { memoryAdapter, memoryStore } from 'early-access-kit/adapters/memory';
import { type StorageAdapter, StorageError } from 'early-access-kit/core';
import { type ContractSubject, runAdapterContract } from 'early-access-kit/testing';
import { expect, it, vi } from 'vitest';
import { UNLIMITED_RATE_LIMITS } from '../../fixtures/app-harness.ts';
import { ownDatabaseAdapter, SCHEMA } from '../../fixtures/own-database.ts';
import { createHandler, type HandlerOptions } from './early-access.ts';

const SITE = 'https://site.example';

/** The browser's adapter, whose requests go to a handler over another adapter. */
function throughHandler(inner: StorageAdapter, now: () => number): StorageAdapter {
  const handler = createHandler(inner, { fields: EXAMPLE_DECLARATIONS, clock: now, rateLimits: UNLIMITED_RATE_LIMITS });
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => handler(new Request(input, init)));
  return httpAdapter({ endpoint: `${SITE}/api` });
}

interface OwnDatabase extends ContractSubject {
  readonly db: DatabaseSync;
  readonly welcomed: readonly string[];
}

runAdapterContract<OwnDatabase>({
  name: 'createHandler over the adapter that docs/adapters.md shows',
  create({ adminEmail, now }) {
    const db = new DatabaseSync(':memory:');
    db.exec(SCHEMA);
    const welcomed: string[] = [];
    const sendWelcome = async (email: string) => void welcomed.push(email);
    return { db, welcomed, adapter: throughHandler(ownDatabaseAdapter({ db, adminEmail, sendWelcome, now }), now) };
  },
  fields: EXAMPLE_DECLARATIONS,
  inspect({ db, welcomed }) {
    const readRecords = (table: string) =>
      db
        .prepare(`SELECT record FROM ${table}`)
        .all()
        .map(({ record }) => JSON.parse(String(record)));
    return { signups: readRecords('signups'), sessions: readRecords('sessions'), welcomed };
  },
  dispose({ db }) {
    vi.restoreAllMocks();
    if (db.isOpen) db.close();
  },
  capabilities: { clock: true, breakStore: { fail: ({ db }) => db.close() } },
});

function harness(options: HandlerOptions = {}, adapter: Partial<StorageAdapter> = {}) {
  const store = memoryStore();
  const log = vi.fn();
  const handler = createHandler(
    { ...memoryAdapter({ store, adminEmail: 'admin@example.com' }), ...adapter },
    { log, ...options },
  );
  const post = (path: string, body: string | URLSearchParams, headers: Record<string, string> = {}) =>
    handler(new Request(`${SITE}${path}`, { method: 'POST', body, headers: { host: 'site.example', ...headers } }), {
      clientAddress: '192.0.2.1',
    });
  return { store, log, post, signUp: (headers = {}) => post('/api/signups', JSON.stringify(signupOf()), headers) };
}

it.each([
  ['a page of another origin', 403, { origin: 'https://foreign.example' }, {}],
  ['an allowed origin', 201, { origin: 'https://other.example' }, { allowedOrigins: ['https://other.example'] }],
  ['another type of body', 415, { 'content-type': 'text/html' }, {}],
] as const)('%s gets %i', async (_, status, headers, options) => {
  const { signUp, store } = harness(options);
  expect((await signUp(headers)).status).toBe(status);
  expect(store.signups.size).toBe(status === 201 ? 1 : 0);
});

it('limits the clients, and attempts to guess the admin’s address', async () => {
  const { signUp, post } = harness({
    rateLimits: { signups: { burst: 1, perMinute: 1 }, wrongAdmins: { burst: 2, perMinute: 1 } },
  });
  expect([(await signUp()).status, (await signUp()).status]).toEqual([201, 429]);
  const summary = async (admin_email: string) => (await post('/api/summary', JSON.stringify({ admin_email }))).status;
  expect(await summary('admin@example.com')).toBe(200);
  expect(await summary('admin@example.com')).toBe(200);
  expect(await summary('admin@example.com')).toBe(200);
  expect([await summary('a@example.com'), await summary('b@example.com')]).toEqual([403, 403]);
  expect(await summary('admin@example.com')).toBe(429);
});

it('says what a StorageError says, and nothing about any other error', async () => {
  const known = harness(
    {},
    { createSignup: async () => Promise.reject(new StorageError('unavailable', 'try later', { retryAfter: 9 })) },
  );
  const response = await known.signUp();
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '9']);
  const visitorText = 'We are full.';
  const full = harness(
    {},
    { createSignup: async () => Promise.reject(new StorageError('forbidden', 'full', { visitorText })) },
  );
  expect(await (await full.signUp()).json()).toMatchObject({ error: { message: 'full', text: visitorText } });
  const cause = new Error('connect mysql://app:hunter2@db/list');
  const error = new Error('ada@example.org was not stored', { cause });
  const unknown = harness({}, { createSignup: async () => Promise.reject(error) });
  const hidden = await unknown.signUp();
  expect([hidden.status, (await hidden.text()).includes('hunter2')]).toEqual([500, false]);
  expect(unknown.log).toHaveBeenCalledExactlyOnceWith('error', 'request-failed', {
    route: '/api/signups',
    status: 500,
    reason: 'the server failed: [address] was not stored: connect mysql://[secret]@db/list',
  });
});

it('signs up by the form without scripts and sends the welcome email, whose failure is not the visitor’s', async () => {
  const form = new URLSearchParams({ email: 'ada@example.org' });
  const { post, store } = harness();
  expect((await post('/api/signup-form', form)).status).toBe(201);
  expect(store.welcomed).toEqual(['ada@example.org']);
  const failing = harness({}, { sendWelcomeEmail: async () => Promise.reject(new Error('the mail server is down')) });
  expect((await failing.post('/api/signup-form', form)).status).toBe(201);
});

it('serves nothing but the public routes', async () => {
  const { post, log } = harness();
  expect((await post('/api/admin/session', '{}')).status).toBe(404);
  expect((await post('/signups', '{}')).status).toBe(404);
  expect(log).toHaveBeenCalledWith('warn', 'mount-mistake', expect.objectContaining({ mistake: 'path-stripped' }));
});
