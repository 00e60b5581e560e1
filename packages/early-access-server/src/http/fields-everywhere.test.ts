import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { declarations, generateValues } from '@early-access-kit/testkit/fields';
import { parse } from 'csv-parse/sync';
import { type FieldDeclarations, isStorageError, parseFields, type SignupFields } from 'early-access-kit/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../app/admin/people.ts';
import { readImportFile } from '../app/list/run-import.ts';
import type { WebhookRequest } from '../app/webhooks/webhook-request.ts';
import { type FirestoreFixture, startFirestore } from '../fixtures/firestore.ts';
import { createTemplate, postgresForFile } from '../fixtures/postgres.ts';
import { tempStore } from '../fixtures/temp-store.ts';
import type { Email } from '../mail/email.ts';
import { escapeHtml, mustacheTemplate } from '../mail/template.ts';
import { firestoreStore } from '../stores/firestore/firestore-store.ts';
import { postgresStore } from '../stores/postgres/postgres-store.ts';
import type { Store } from '../stores/store.ts';
import { exampleSignup } from '../testing/examples.ts';
import { createEarlyAccess } from './early-access.ts';

const ORIGIN = 'https://early.example';
const KEY = 'eak_'.padEnd(47, 'k');

let firestore: FirestoreFixture;
const postgres = postgresForFile();
let template: string;

beforeAll(async () => {
  firestore = await startFirestore(Date.now);
  template = await createTemplate(postgres());
});
afterAll(async () => {
  await firestore.close();
});

const STORES: readonly [name: string, runs: number, open: () => Promise<Store>][] = [
  ['SQLite', 40, async () => tempStore().store],
  [
    'Firestore',
    10,
    async () => {
      firestore.fake.store.clear();
      return firestoreStore({ firestore: firestore.firestore });
    },
  ],
  ['Postgres', 5, async () => postgresStore({ url: await postgres().createDatabase(template) })],
];

const FORMS = declarations.chain((declared) =>
  fc.record({ declared: fc.constant(declared), values: generateValues(declared) }),
);

/** What is stored of these values; null if they are refused. */
function accepted(declared: FieldDeclarations, values: unknown): SignupFields | undefined | null {
  try {
    return parseFields(declared, values);
  } catch (error) {
    if (isStorageError(error)) return null;
    throw error;
  }
}

/** The application with an email, a webhook and an API key, on a new store. */
async function setUp(store: Store, declared: FieldDeclarations) {
  const emails: Email[] = [];
  const posts: WebhookRequest[] = [];
  const tags = Object.keys(declared).map((name) => `[{{fields.${name}}}]`);
  const parts = { subject: `New ${tags.join('')}`, text: tags.join('\n'), html: `<p>${tags.join('</p><p>')}</p>` };
  const app = createEarlyAccess({
    store,
    fields: declared,
    publicUrl: new URL(ORIGIN),
    rateLimits: { signups: { burst: 1_000, perMinute: 1_000 } },
    mail: {
      from: 'hello@early.example',
      templates: { welcome: mustacheTemplate(parts, 'welcome', declared) },
      transport: {
        async deliver(email) {
          emails.push(email);
          return { outcome: 'sent' };
        },
        async close() {},
      },
    },
    webhooks: {
      transport: {
        async post(request) {
          posts.push(request);
          return { delivered: true, status: 200 };
        },
        close() {},
      },
    },
  });
  const hash = createHash('sha256').update(KEY).digest('hex');
  await store.apiKeys.add({ hash, name: 'Test', scopes: ['people'] });
  for (const format of ['json', 'slack'] as const) {
    await store.webhooks.add({ url: ORIGIN, secret: 'whsec_c2VjcmV0', format, events: ['signup.created'] });
  }
  return {
    emails,
    posts,
    runJobs: () => app.runJobs(),
    signUp: async (fields: unknown) => {
      const signup = { ...exampleSignup({ email: `${randomUUID()}@example.org` }), fields };
      const body = JSON.stringify(signup);
      const request = new Request(`${ORIGIN}/api/signups`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body,
      });
      return { email: signup.email, status: (await app.fetch(request)).status };
    },
    get: async (path: string) =>
      app.fetch(new Request(`${ORIGIN}/api/admin${path}`, { headers: { authorization: `Bearer ${KEY}` } })),
  };
}

describe.each(STORES)('generated fields on %s', (_, runs, open) => {
  it('arrive unchanged and escaped everywhere, or are refused', async () => {
    await fc.assert(
      fc.asyncProperty(FORMS, async ({ declared, values }) => {
        const store = await open();
        const { emails, posts, runJobs, signUp, get } = await setUp(store, declared);
        const sent: unknown = JSON.parse(JSON.stringify(values));
        const expected = accepted(declared, sent);
        const { email, status } = await signUp(sent);
        expect(status).toBe(expected === null ? 400 : 201);
        if (expected !== null) {
          const { people } = (await (await get('/people')).json()) as { people: Person[] };
          expect(people.map(({ fields }) => fields)).toEqual([expected]);

          const csv = Buffer.from(await (await get('/people.csv')).arrayBuffer());
          const [row] = parse(csv, { columns: true, bom: true }) as Record<string, string>[];
          for (const name of Object.keys(declared)) {
            expect(row?.[name]?.replaceAll("'", '')).toBe(String(expected?.[name] ?? '').replaceAll("'", ''));
            expect(row?.[name]).not.toMatch(/^[=+\-@]/);
          }
          // An apostrophe in front of a formula belongs to what spreadsheets read.
          if (Object.keys(declared).every((name) => row?.[name] === String(expected?.[name] ?? ''))) {
            const { people: imported } = await readImportFile(Readable.from([csv]), Date.now(), declared);
            expect(imported.map(({ person }) => person.fields)).toEqual([expected]);
          }

          await runJobs();
          const [{ subject, text, html } = { subject: '', text: '', html: '' }] = emails;
          expect(subject).not.toMatch(/[\r\n]/);
          for (const name of Object.keys(declared)) {
            const value = String(expected?.[name] ?? '');
            expect(text).toContain(`[${value}]`);
            expect(html).toContain(`[${escapeHtml(value)}]`);
          }
          const bodies = posts.map(({ body }) => JSON.parse(body));
          expect(bodies.find((body) => 'data' in body)?.data.fields).toEqual(expected);
          expect(bodies.find((body) => 'text' in body)?.text).not.toMatch(/[<>]/);

          expect((await store.erase(email)).erased).not.toBeNull();
        }
        expect(await ((await get('/people')).json() as Promise<{ people: Person[] }>)).toMatchObject({ people: [] });
        await store.close();
      }),
      { numRuns: runs },
    );
  });
});
