import { watch } from 'node:fs';
import type { Server } from '@early-access-kit/testkit/built-server';
import { type Chance, chanceOf, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { describe, expect, it } from 'vitest';
import { beingSent, expectNothingLost } from '../support/audit.ts';
import { startCrowd } from '../support/crowd.ts';
import { expectMailsSent, startDeployment, unknownAfterLease } from '../support/deployment.ts';
import { emptyLedger } from '../support/ledger.ts';

const KILLS = rounds({ short: 4, long: 100 });
/** Each kill waits for up to this many acknowledgements, then for up to this many started requests. */
const MAX_ACKNOWLEDGEMENTS = 160;
const MAX_REQUESTS = 12;
/** In every eighth round the server is killed while it starts, after up to `MAX_CHANGES` changes in its folder. */
const KILL_AT_START = 8;
const MAX_CHANGES = 8;

/** Starts the server again and kills it, usually before it is ready. */
async function killAtStart(server: Server, folder: string, chance: Chance): Promise<void> {
  let left = chance.below(MAX_CHANGES);
  const enough = Promise.withResolvers<void>();
  const watcher = watch(folder, () => {
    left -= 1;
    if (left < 0) enough.resolve();
  });
  const started = server.start().catch(() => {});
  await Promise.race([enough.promise, started]);
  await server.kill();
  await started;
  watcher.close();
}

describe('kill -9 under load', () => {
  it(`${KILLS} times: nothing acknowledged is lost, and every message is sent exactly once`, async () => {
    const chance = chanceOf('kill -9');
    const deployment = await startDeployment();
    const [ledger, inFlight] = [emptyLedger(), new Set<string>()];
    const server = await deployment.serve();
    await server.kill();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      if (kill % KILL_AT_START === 0) await killAtStart(server, deployment.folder, chance);
      await server.start();
      const last = ledger.acknowledgements + chance.below(MAX_ACKNOWLEDGEMENTS);
      let left = chance.below(MAX_REQUESTS);
      const enough = Promise.withResolvers<void>();
      const url = () => {
        if (ledger.acknowledgements >= last) left -= 1;
        if (left < 0) enough.resolve();
        return server.origin;
      };
      const crowd = startCrowd({ url, ledger });
      await enough.promise;
      await server.kill();
      crowd.leave();
      await crowd.gone;
      expectNothingLost(deployment.file, ledger);
      for (const email of beingSent(deployment.file)) inFlight.add(email);
    }

    await server.start();
    const arrived = await expectMailsSent(deployment, ledger, inFlight);
    await server.stop();
    expectNothingLost(deployment.file, ledger);
    // This includes leases that expired during a long run.
    expect(await unknownAfterLease(deployment.file)).toBe(inFlight.size);
    expect(ledger.created.size).toBeGreaterThan(0);
    expect(ledger.sessions.size).toBeGreaterThan(0);
    report('kill -9: kills', KILLS);
    report('kill -9: acknowledged signups lost', `0 of ${ledger.created.size}`);
    report('kill -9: acknowledged sessions lost', `0 of ${ledger.sessions.size}`);
    report('kill -9: mails sent twice', `0 of ${ledger.requested.size}`);
    report('kill -9: mails in flight at a kill', `${inFlight.size}, of which ${arrived} arrived`);
  });
});
