import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { expect, it, onTestFinished } from 'vitest';
import { hashToken, newApiKey } from '../../../app/access/secrets.ts';
import { adminHarness } from '../../../fixtures/admin-harness.ts';
import { listen } from '../../application/listen.ts';

/** A folder in the package, where `openapi-fetch` is found. */
const FOLDER = join(import.meta.dirname, '../../../../.cache');

const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './early-access-api.ts';

const { EARLY_ACCESS_URL = '', EARLY_ACCESS_KEY = '', EMAIL = '' } = process.env;
const client = createClient<paths>({ baseUrl: EARLY_ACCESS_URL });
const withKey = { headers: { Authorization: \`Bearer \${EARLY_ACCESS_KEY}\` } };

const signup = await client.POST('/api/signups', {
  body: { email: EMAIL, source: 'crm', submission_id: crypto.randomUUID() },
});
const figures = await client.GET('/api/admin/dashboard', { ...withKey, params: { query: { range: '7d' } } });
const people = await client.GET('/api/admin/people', withKey);

console.log(JSON.stringify([signup.data?.result, figures.data?.figures.signups, people.error?.error.code]));
`;

/** Returns TypeScript's errors in the program, checked as strictly as the project itself. */
function complaintsAbout(file: string): readonly string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it('makes a client that signs up, reads the figures with a key for them, and is refused people', async () => {
  const { app, store } = adminHarness();
  const server = await listen({ app, port: 0, hosts: ['127.0.0.1'] });
  onTestFinished(() => server.close(0));
  const url = `http://127.0.0.1:${server.port}`;
  const key = newApiKey();
  await store.apiKeys.add({ name: 'Reports', scopes: ['analytics'], hash: hashToken(key) });

  await mkdir(FOLDER, { recursive: true });
  const folder = await mkdtemp(join(FOLDER, 'client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(
    join(folder, 'early-access-api.ts'),
    astToString(await openapiTS(new URL(`${url}/api/openapi.json`))),
  );
  const program = join(folder, 'program.ts');
  await writeFile(program, PROGRAM);
  expect(complaintsAbout(program)).toEqual([]);
  await writeFile(join(folder, 'wrong.ts'), PROGRAM.replace("source: 'crm'", 'source: 7').replace("'7d'", "'1y'"));
  expect(complaintsAbout(join(folder, 'wrong.ts'))).toHaveLength(2);

  const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: { ...process.env, EARLY_ACCESS_URL: url, EARLY_ACCESS_KEY: key, EMAIL: `${randomUUID()}@example.org` },
  });
  expect(JSON.parse(stdout)).toEqual(['created', 1, 'forbidden']);
});
