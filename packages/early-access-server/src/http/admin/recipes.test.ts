import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { signupOf } from '@early-access-kit/testkit/records';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { ApiScope } from '../../app/access/api-keys.ts';
import { EVERYONE } from '../../app/people/people.ts';
import { startKeyedServer } from '../../fixtures/keyed-server.ts';

const DOCUMENT = readFileSync(new URL('../../../../../docs/recipes.md', import.meta.url), 'utf8');
const SITE = 'https://www.example.com';
const INVITES = { INVITE_URL: 'https://app.example/join', INVITE_KEY: 'k'.repeat(32) };

/** The block of the document that contains the text. */
function findBlock(text: string): string {
  const blocks = [...DOCUMENT.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = '']) => code);
  const found = blocks.filter((code) => code.includes(text));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
}

async function setUp(...scopes: ApiScope[]) {
  const server = await startKeyedServer(scopes, INVITES);
  onTestFinished(() => server.store.close());
  const listed = async () => {
    const { people } = await server.store.people.list({ ...EVERYONE, sort: 'email', limit: 100, after: null });
    return people.map(({ email, state, source, consent_text }) => ({ email, state, source, consent_text }));
  };
  return { ...server, listed };
}

const parameter = z.object({ name: z.string(), value: z.string() });
const workflow = z.object({
  nodes: z.tuple([
    z.object({
      type: z.literal('n8n-nodes-base.httpRequest'),
      typeVersion: z.literal(4.2),
      parameters: z.strictObject({
        method: z.literal('POST'),
        url: z.string().startsWith(SITE),
        authentication: z.literal('genericCredentialType'),
        genericAuthType: z.literal('httpBearerAuth'),
        sendHeaders: z.literal(true),
        headerParameters: z.object({ parameters: z.array(parameter) }),
        sendBody: z.literal(true),
        specifyBody: z.literal('json'),
        jsonBody: z.string(),
        options: z.object({}),
      }),
    }),
  ]),
});

/** The block that adds people, with the URL and the body that the next recipe names. */
function invitingBlock(): string {
  const { nodes } = workflow.parse(JSON.parse(findBlock('/api/admin/people"')));
  const readValue = (label: string) => new RegExp(`^- \\*\\*${label}\\*\\* \`(.+)\`$`, 'm').exec(DOCUMENT)?.[1];
  const changes = { url: readValue('URL'), jsonBody: readValue('JSON') };
  return JSON.stringify({ nodes: [{ ...nodes[0], parameters: { ...nodes[0].parameters, ...changes } }] });
}

/**
 * Runs the node of a workflow for an item, as n8n does: a value that begins with = is a text with expressions in {{ }}.
 */
async function runNode(block: string, item: unknown, { url, key }: { readonly url: string; readonly key: string }) {
  const { parameters } = workflow.parse(JSON.parse(block)).nodes[0];
  const context = { $json: item, $execution: { id: '231' }, $itemIndex: 0 };
  const evaluate = (text: string) =>
    text.startsWith('=')
      ? text.slice(1).replaceAll(/\{\{(.+?)\}\}(?!\})/g, (_, code) => String(runInNewContext(`(${code})`, context)))
      : text;
  const headers = parameters.headerParameters.parameters.map(({ name, value }) => [name, evaluate(value)] as const);
  const response = await fetch(parameters.url.replace(SITE, url), {
    method: parameters.method,
    headers: { ...Object.fromEntries(headers), Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: evaluate(parameters.jsonBody),
  });
  return { status: response.status, body: await response.json() };
}

it('n8n: adds a person with their consent, and a retry changes nothing', async () => {
  const server = await setUp('people:add');
  const item = { email: 'Ada@example.org', consent: 'Said "yes" at the {{fair}}.' };
  const first = await runNode(findBlock('/api/admin/people"'), item, server);
  expect(first).toEqual({ status: 200, body: { result: 'added', id: expect.any(String) } });
  expect(await runNode(findBlock('/api/admin/people"'), item, server)).toEqual(first);
  expect(await server.listed()).toEqual([
    { email: 'ada@example.org', state: 'pending', source: 'api', consent_text: item.consent },
  ]);
});

it('n8n: invites the next people once for each run', async () => {
  const server = await setUp('invites');
  const block = invitingBlock();
  expect((await runNode(block, {}, server)).status).toBe(409);
  for (let person = 0; person < 60; person += 1) await server.store.createSignup(signupOf());
  for (let run = 0; run < 2; run += 1) {
    expect(await runNode(block, {}, server)).toMatchObject({ body: { people: 50 } });
  }
  expect((await server.store.list.counts()).get('invited')).toBe(50);
});

it('Zapier: adds a person by a custom request', async () => {
  const { url, key, listed } = await setUp('people:add');
  const values: Record<string, string> = { Email: 'ada@example.org', Question: 'Newsletter?', Answer: 'Yes' };
  const body = findBlock('{{Email}}').replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '');
  const response = await fetch(`${url}/api/admin/people`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'row 7' },
    body,
  });
  expect(response.status).toBe(200);
  expect(await listed()).toMatchObject([{ email: 'ada@example.org', consent_text: 'Newsletter?: Yes' }]);
});

/** Fetches while this thread waits, as `UrlFetchApp.fetch` does. */
const FETCH = `
  const [url, { method, headers, contentType, payload }] = JSON.parse(process.argv[1]);
  const response = await fetch(url, {
    method: method.toUpperCase(),
    headers: { ...headers, ...(contentType && { 'Content-Type': contentType }) },
    ...(payload !== undefined && { body: payload }),
  });
  process.stdout.write(JSON.stringify({ status: response.status, text: await response.text() }));
`;
const fetched = z.object({ status: z.number(), text: z.string() });

/** The parts of Apps Script that the recipe uses, with sheets in memory. */
function appsScript(url: string, key: string, toAdd: string[][]) {
  const sheets: Record<string, unknown[][]> = { People: [['old']], 'To add': toAdd };
  const openSheet = (name: string) => ({
    clearContents() {
      sheets[name] = [];
    },
    getDataRange: () => ({ getValues: () => structuredClone(sheets[name]) }),
    getRange: (row: number, column: number, rows = 1, columns = 1) => ({
      setValues(values: unknown[][]) {
        expect([values.length, ...new Set(values.map(({ length }) => length))]).toEqual([rows, columns]);
        sheets[name] = structuredClone(values);
      },
      setValue(value: unknown) {
        const cells = sheets[name]?.[row - 1] ?? [];
        cells[column - 1] = value;
      },
    }),
  });
  const context: Record<string, unknown> = {
    SpreadsheetApp: { getActive: () => ({ getSheetByName: openSheet }) },
    PropertiesService: { getScriptProperties: () => ({ getProperty: () => key }) },
    UrlFetchApp: {
      fetch(address: string, options: unknown) {
        const input = JSON.stringify([address.replace(SITE, url), options]);
        const args = ['--input-type=module', '--eval', FETCH, input];
        const { status, text } = fetched.parse(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })));
        return { getResponseCode: () => status, getContentText: () => text };
      },
    },
  };
  const run = (name: string) => void runInNewContext(`${findBlock('function pullPeople')}\n${name}();`, { ...context });
  return { sheets, run };
}

it('Google Sheets: copies every page of the list, and no text becomes a formula', async () => {
  const { store, url, key } = await setUp('people');
  for (let person = 0; person < 101; person += 1) await store.createSignup(signupOf({ source: '=IMPORTXML("x")' }));
  const { sheets, run } = appsScript(url, key, []);
  run('pullPeople');
  expect(sheets.People).toHaveLength(102);
  expect(sheets.People?.[0]).toEqual(['id', 'email', 'state', 'source', 'signed up']);
  expect(sheets.People?.[101]?.slice(2, 4)).toEqual(['subscribed', '\'=IMPORTXML("x")']);
  expect(new Set(sheets.People?.map(([id]) => id)).size).toBe(102);
});

it('Google Sheets: adds each row once, and says why one cannot be added', async () => {
  const { url, key, listed } = await setUp('people:add');
  const rows = [
    ['email', 'consent', 'result'],
    ['ada@example.org', 'Asked me at the fair.', ''],
    ['', '', ''],
  ];
  const { sheets, run } = appsScript(url, key, rows);
  run('addPeople');
  run('addPeople');
  expect(sheets['To add']?.[1]?.[2]).toBe('added');
  expect(await listed()).toMatchObject([{ email: 'ada@example.org', consent_text: 'Asked me at the fair.' }]);
  sheets['To add']?.push(['bob@example.org', '', '']);
  expect(() => run('addPeople')).toThrow('consent_text');
});
