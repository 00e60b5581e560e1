import { startServer } from '@early-access-kit/testkit/built-server';
import { report, rounds } from '@early-access-kit/testkit/fault-runs';
import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it, vi } from 'vitest';
import { expectNothingLost } from '../support/audit.ts';
import { postAsNewClient, signUp } from '../support/crowd.ts';
import { expectMailsSent, startDeployment } from '../support/deployment.ts';
import { emptyLedger } from '../support/ledger.ts';
import { smallDisk } from './small-disk.ts';

const FILLS = rounds({ short: 1, long: 10 });
const newEmail = () => `${crypto.randomUUID()}@example.org`;

// The tools that fill a disk only exist on Linux. The tested code is the same everywhere.
describe.runIf(process.platform === 'linux')('a server on a full disk', () => {
  it(`loses nothing it acknowledged, returns 503, and recovers once there is space, ${FILLS} times`, async () => {
    let acknowledged = 0;
    for (let fill = 0; fill < FILLS; fill += 1) {
      const deployment = await startDeployment();
      const disk = smallDisk(deployment.folder);
      const server = await deployment.serve(disk.through);
      const { pid, origin } = server;
      const here = {
        ...deployment,
        get file() {
          return disk.snapshot(pid, deployment.file);
        },
      };
      const ledger = emptyLedger();
      while (await signUp(origin, newEmail(), ledger));

      // A small write may still fit, so retry until one fails.
      await vi.waitFor(async () => {
        const signup = signupOf();
        ledger.requested.set(signup.email, signup);
        const response = await postAsNewClient(`${origin}/api/signups`, signup);
        expect(response.status).toBe(503);
        expect(response.headers.get('Retry-After')).toMatch(/^\d+$/);
        expect(await response.json()).toMatchObject({ error: { code: 'unavailable' } });
        expect((await fetch(`${origin}/healthz`)).status).toBe(503);
      });
      const log =
        /"level":"error","event":"request-failed","route":"\/api\/signups","status":503,"reason":"[^"]*(disk is full|disk I\/O error)"/;
      expect(server.log).toMatch(log);
      // Requests that write nothing still work.
      expect((await fetch(origin)).status).toBe(200);
      expect((await postAsNewClient(`${origin}/api/summary`, { admin_email: 'admin@example.com' })).status).toBe(200);

      disk.free(pid);
      expect((await fetch(`${origin}/healthz`)).status).toBe(200);
      expect(await signUp(origin, newEmail(), ledger)).toBe(true);
      for (const email of ledger.requested.keys()) if (!ledger.created.has(email)) await signUp(origin, email, ledger);
      expect(ledger.created.size).toBe(ledger.requested.size);
      expectNothingLost(here.file, ledger);
      await expectMailsSent(here, ledger, new Set());
      expect(server.pid).toBe(pid);
      acknowledged += ledger.created.size;
    }
    report('disk full: acknowledged signups lost', `0 of ${acknowledged}`);
  });

  it('stores signups, but no more sessions, while there is little space', async ({ skip }) => {
    const deployment = await startDeployment();
    const disk = smallDisk(deployment.folder);
    if (!disk.isFileSystem) skip('a file size limit is no disk');
    const { pid, origin } = await deployment.serve(disk.through);
    const store = async () => (await postAsNewClient(`${origin}/api/sessions`, sessionOf())).status;
    expect([await store(), await store()]).toEqual([429, 429]);
    expect(await signUp(origin, newEmail(), emptyLedger())).toBe(true);
    disk.free(pid);
    await vi.waitFor(async () => expect(await store()).toBe(204));
  });

  it('keeps running if its log cannot be written', async () => {
    const deployment = await startDeployment();
    const server = await deployment.serve(['sh', '-c', 'exec "$@" 2>/dev/full', '--']);
    const ledger = emptyLedger();
    for (let person = 0; person < 5; person += 1) {
      expect(await signUp(server.origin, newEmail(), ledger)).toBe(true);
      await expectMailsSent(deployment, ledger, new Set());
    }
    await server.stop();
  });

  it('names the cause if it cannot start', async () => {
    const deployment = await startDeployment();
    const { through } = smallDisk(deployment.folder);
    const withoutSpace = through.map((part) =>
      part.replace('-f 1000', '-f 1').replace(/head -c \d+/, 'head -c 16777216'),
    );
    await expect(startServer({ DATA_DIR: deployment.folder }, withoutSpace)).rejects.toThrow(
      /early-access-server: the database .* cannot be opened: (database or disk is full|disk I\/O error)\n$/,
    );
  });
});
