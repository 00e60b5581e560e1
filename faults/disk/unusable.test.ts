import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_SERVER } from '@early-access-kit/testkit/built-server';
import { signupOf } from '@early-access-kit/testkit/records';
import { openStore } from 'early-access-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Bench, bench } from '../support/bench.ts';
import { postAsNewClient, signUp } from '../support/crowd.ts';
import { emptyLedger } from '../support/ledger.ts';
import { damage, withoutOverride } from './small-disk.ts';

const PEOPLE = 400;

/** A data folder with people in it, and a backup beside it. */
async function filled(): Promise<Bench & { readonly backup: string }> {
  const place = await bench();
  const store = openStore({ file: place.file });
  await Promise.all(Array.from({ length: PEOPLE }, () => store.createSignup(signupOf())));
  const backup = join(place.folder, 'backup.sqlite');
  store.backup(backup);
  store.close();
  return { ...place, backup };
}

describe('a data folder that may not be written', () => {
  it('is named by a server that is started on it', async () => {
    const place = await filled();
    chmodSync(place.file, 0o444);
    await expect(place.serve(withoutOverride())).rejects.toThrow(
      /early-access-kit: the database .* cannot be opened: EACCES: permission denied, [^\n]*\n$/,
    );
    chmodSync(place.file, 0o600);
    chmodSync(place.folder, 0o555);
    onTestFinished(() => chmodSync(place.folder, 0o755));
    await expect(place.serve(withoutOverride())).rejects.toThrow(
      /early-access-kit: DATA_DIR .* cannot be written: [^\n]*; choose another folder or its rights\n$/,
    );
    chmodSync(place.folder, 0o755);
    const server = await place.serve(withoutOverride());
    expect(await signUp(server.origin, 'later@example.org', emptyLedger())).toBe(true);
  });
});

describe('a damaged database file', () => {
  it.each([
    ['its first page', (file: string, bytes: Buffer) => damage(file, bytes, 0.001, 0.01)],
    ['half of it gone', (file: string, { length }: Buffer) => truncateSync(file, length / 2)],
  ])('is named by a server that is started on it: %s', async (_, harm) => {
    const place = await filled();
    harm(place.file, readFileSync(place.file));
    await expect(place.serve()).rejects.toThrow(
      /early-access-kit: the database .* cannot be opened: (database disk image is malformed|file is not a database)\n$/,
    );
    // As the README says.
    copyFileSync(place.backup, place.file);
    const server = await place.serve();
    expect(await signUp(server.origin, 'later@example.org', emptyLedger())).toBe(true);
  });

  it('takes no sign-up that it could not give back, while the pages go on, and gives no backup', async () => {
    const place = await filled();
    damage(place.file, readFileSync(place.file), 0.1, 0.9);
    const server = await place.serve();
    const answer = await postAsNewClient(`${server.origin}/api/signups`, signupOf());
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    const summary = await postAsNewClient(`${server.origin}/api/summary`, { admin_email: 'admin@example.com' });
    expect(summary.status).toBe(503);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(503);
    expect((await fetch(server.origin)).status).toBe(200);
    expect(server.log).toMatch(
      /"event":"request-failed".*"status":503,"reason":"[^"]*database disk image is malformed"/,
    );

    const copy = join(place.folder, 'copy.sqlite');
    const command = spawnSync(process.execPath, [BUILT_SERVER, 'backup', copy], {
      env: { DATA_DIR: place.folder },
      encoding: 'utf8',
    });
    expect(command).toMatchObject({ status: 1, stderr: expect.stringContaining('database disk image is malformed') });
    expect(existsSync(copy)).toBe(false);

    await server.stop();
    for (const ending of ['-wal', '-shm']) rmSync(place.file + ending, { force: true });
    copyFileSync(place.backup, place.file);
    await server.start();
    expect(await signUp(server.origin, 'later@example.org', emptyLedger())).toBe(true);
  });
});
