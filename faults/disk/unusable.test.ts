import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_SERVER } from '@early-access-kit/testkit/built-server';
import { withoutOverride } from '@early-access-kit/testkit/child-process';
import { signupOf } from '@early-access-kit/testkit/records';
import { sqliteStore } from 'early-access-server/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postAsNewClient, signUp } from '../support/crowd.ts';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { emptyLedger } from '../support/ledger.ts';
import { damage, damageContents } from './small-disk.ts';

const PEOPLE = 400;

/** A data folder with signups and a backup. */
async function deploymentWithSignups(): Promise<Deployment & { readonly backup: string }> {
  const deployment = await startDeployment();
  const store = sqliteStore({ file: deployment.file });
  await Promise.all(Array.from({ length: PEOPLE }, () => store.createSignup(signupOf())));
  const backup = join(deployment.folder, 'backup.sqlite');
  await store.backup(backup);
  store.close();
  return { ...deployment, backup };
}

it('a data folder without write permission is named in the error when a server starts', async () => {
  const deployment = await deploymentWithSignups();
  chmodSync(deployment.file, 0o444);
  await expect(deployment.serve(withoutOverride())).rejects.toThrow(
    /early-access-server: the database .* cannot be opened: EACCES: permission denied, [^\n]*\n$/,
  );
  chmodSync(deployment.file, 0o600);
  chmodSync(deployment.folder, 0o555);
  onTestFinished(() => chmodSync(deployment.folder, 0o755));
  await expect(deployment.serve(withoutOverride())).rejects.toThrow(
    /early-access-server: DATA_DIR .* cannot be written: [^\n]*; choose another folder, or correct its permissions\n$/,
  );
  chmodSync(deployment.folder, 0o755);
  const server = await deployment.serve(withoutOverride());
  expect(await signUp(server.origin, 'later@example.org', emptyLedger())).toBe(true);
});

describe('a damaged database file', () => {
  it.each([
    ['the first page is overwritten', (file: string, bytes: Buffer) => damage(file, bytes, 0.001, 0.01)],
    ['half of the file is missing', (file: string, { length }: Buffer) => truncateSync(file, length / 2)],
  ])('is named in the error when a server starts: %s', async (_, harm) => {
    const deployment = await deploymentWithSignups();
    harm(deployment.file, readFileSync(deployment.file));
    await expect(deployment.serve()).rejects.toThrow(
      /early-access-server: the database .* cannot be opened: (database disk image is malformed|file is not a database)\n$/,
    );
    // Restores the backup as documented.
    copyFileSync(deployment.backup, deployment.file);
    const server = await deployment.serve();
    expect(await signUp(server.origin, 'later@example.org', emptyLedger())).toBe(true);
  });

  it('rejects signups and creates no backup, but still serves pages', async () => {
    const deployment = await deploymentWithSignups();
    damageContents(deployment.file);
    const server = await deployment.serve();
    const response = await postAsNewClient(`${server.origin}/api/signups`, signupOf());
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    const summary = await postAsNewClient(`${server.origin}/api/summary`, { admin_email: 'admin@example.com' });
    expect(summary.status).toBe(503);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(503);
    expect((await fetch(server.origin)).status).toBe(200);
    expect(server.log).toMatch(
      /"event":"request-failed".*"status":503,"reason":"[^"]*database disk image is malformed"/,
    );

    const copy = join(deployment.folder, 'copy.sqlite');
    const command = spawnSync(process.execPath, [BUILT_SERVER, 'backup', copy], {
      env: { DATA_DIR: deployment.folder },
      encoding: 'utf8',
    });
    expect(command).toMatchObject({ status: 1, stderr: expect.stringContaining('database disk image is malformed') });
    expect(existsSync(copy)).toBe(false);

    await server.stop();
    for (const ending of ['-wal', '-shm']) rmSync(deployment.file + ending, { force: true });
    copyFileSync(deployment.backup, deployment.file);
    await server.start();
    expect(await signUp(server.origin, 'later@example.org', emptyLedger())).toBe(true);
  });
});
