import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished, vi } from 'vitest';
import { until } from '../fixtures/mail-harness.ts';
import { createEarlyAccess } from '../http/application/early-access.ts';
import type { Environment } from '../settings/setting.ts';
import { optionsFromEnv } from './options-from-env.ts';

/** An application inside a host, and the lines that it prints. */
async function mount(env: Environment) {
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream] += String(text);
      return true;
    });
  }
  onTestFinished(() => void vi.restoreAllMocks());
  const options = await optionsFromEnv(env);
  const app = createEarlyAccess({ ...options, signInDelayMs: () => 0 });
  onTestFinished(async () => {
    await app.stop(1_000);
    await options.store.close();
  });
  app.start();
  const post = (path: string, body: unknown) =>
    app.fetch(
      new Request(`http://localhost:4567/api${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
      { clientAddress: '127.0.0.1' },
    );
  return { options, app, printed, post };
}

it('on a local run prints the sign-in link of the default admin, to the port that the request came to', async () => {
  const { app, printed, post } = await mount({ DATA_DIR: tempFolder() });
  // Anyone can send this name of a host.
  await app.fetch(new Request('http://foreign.example/healthz'));
  expect((await post('/admin/sign-in', { email: 'admin@example.com' })).status).toBe(202);
  await until(() => expect(printed.stdout).toMatch(/^Sign-in {2}http:\/\/localhost:4567\/admin#token=[\w-]{43}$/m));
  expect(printed.stderr).not.toContain('admin-missing');
});

it('uses the settings of the server: the brand, emails, the store, fields and more', async () => {
  const DATA_DIR = tempFolder();
  const fields = join(DATA_DIR, 'fields.json');
  writeFileSync(fields, JSON.stringify({ company: { type: 'text', label: 'Company', maxLength: 100 } }));
  const env = { DATA_DIR, BRAND_NAME: 'Acme', CONFIRM: 'on', SIGNUP_FIELDS: fields, RETENTION_DAYS: '100' };
  const { options, post } = await mount({ ...env, ALLOWED_ORIGINS: 'https://www.example.com' });
  expect(options).toMatchObject({ brand: { name: 'Acme' }, retentionDays: 100, fields: { company: { type: 'text' } } });
  const response = await post('/signups', { ...signupOf(), fields: { company: 'Acme' } });
  expect(await response.json()).toMatchObject({ result: 'pending' });
  await until(() => expect(readdirSync(join(DATA_DIR, 'mail'))).toHaveLength(1));
});

it('leaves the port and the pages to the host', async () => {
  const { options } = await mount({ DATA_DIR: tempFolder(), PORT: String.raw`\\.\pipe\host`, SITE_DIR: '/missing' });
  expect(options).not.toHaveProperty('site');
});

it('has no default admin behind a proxy, and says once that no one can sign in', async () => {
  const { app, printed } = await mount({ DATA_DIR: tempFolder(), TRUST_PROXY: '1' });
  await app.runJobs();
  expect(printed.stderr.match(/"event":"admin-missing","reason":"[^"]*set ADMIN_EMAIL"/g)).toHaveLength(1);
});

it('corrects misspelled settings in the log, and names one that cannot be used', async () => {
  const { printed } = await mount({ DATA_DIR: tempFolder(), ALOWED_ORIGINS: 'https://www.example.com' });
  expect(printed.stderr).toContain('did you mean ALLOWED_ORIGINS?');
  await expect(optionsFromEnv({ MAIL_LANGUAGE: 'xx' })).rejects.toThrow('MAIL_LANGUAGE must be one of');
});

it('starts while Postgres is away, and logs one line about it', async () => {
  const { app, printed, post } = await mount({ DATABASE_URL: 'postgres://user:secret@127.0.0.1:9/list' });
  expect((await post('/signups', signupOf())).status).toBe(503);
  expect((await app.fetch(new Request('http://localhost:4567/healthz'))).status).toBe(503);
  expect(printed.stderr.match(/"level":"error"/g)).toHaveLength(1);
  expect(printed.stderr).toMatch(/"event":"database-away","reason":"[^"]*ECONNREFUSED[^"]*"/);
  expect(printed.stderr).not.toContain('secret');
});
