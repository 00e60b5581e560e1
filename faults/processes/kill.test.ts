import { watch } from 'node:fs';
import type { Server } from '@early-access-kit/testkit/built-server';
import { type Chance, chanceOf, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { describe, expect, it } from 'vitest';
import { beingSent, expectPromisesKept } from '../support/audit.ts';
import { startCrowd } from '../support/crowd.ts';
import { expectMailsSent, startDeployment, unknownAfterLease } from '../support/deployment.ts';
import { emptyLedger } from '../support/ledger.ts';

const KILLS = rounds({ short: 8, long: 100 });
/** A kill comes after at most so many further promises, and then after at most so many requests that are begun. */
const MOST_PROMISES = 160;
const MOST_REQUESTS = 12;
/** Every so many rounds the server is killed while it starts, after at most so many changes in its folder. */
const KILL_AT_START = 8;
const MOST_CHANGES = 8;

/** Starts the server again and kills it before it serves, as a rule. */
async function killAtStart(server: Server, folder: string, chance: Chance): Promise<void> {
  let left = chance.below(MOST_CHANGES);
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
  it(`${KILLS} times: nothing acknowledged is lost, and no mail goes out twice or is forgotten`, async () => {
    const chance = chanceOf('kill -9');
    const deployment = await startDeployment();
    const [ledger, inFlight] = [emptyLedger(), new Set<string>()];
    const server = await deployment.serve();
    await server.kill();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      if (kill % KILL_AT_START === 0) await killAtStart(server, deployment.folder, chance);
      await server.start();
      const last = ledger.promises + chance.below(MOST_PROMISES);
      let left = chance.below(MOST_REQUESTS);
      const enough = Promise.withResolvers<void>();
      const url = () => {
        if (ledger.promises >= last) left -= 1;
        if (left < 0) enough.resolve();
        return server.origin;
      };
      const crowd = startCrowd({ url, ledger });
      await enough.promise;
      await server.kill();
      crowd.leave();
      await crowd.gone;
      expectPromisesKept(deployment.file, ledger);
      for (const email of beingSent(deployment.file)) inFlight.add(email);
    }

    await server.start();
    const arrived = await expectMailsSent(deployment, ledger, inFlight);
    await server.stop();
    expectPromisesKept(deployment.file, ledger);
    // A lease that ran out in the course of a long run is among them already.
    expect(await unknownAfterLease(deployment.file)).toBe(inFlight.size);
    expect(ledger.created.size).toBeGreaterThan(0);
    expect(ledger.visits.size).toBeGreaterThan(0);
    report('kill -9: kills', KILLS);
    report('kill -9: acknowledged sign-ups lost', `0 of ${ledger.created.size}`);
    report('kill -9: acknowledged visits lost', `0 of ${ledger.visits.size}`);
    report('kill -9: mails sent twice', `0 of ${ledger.asked.size}`);
    report('kill -9: mails in flight at a kill', `${inFlight.size}, of which ${arrived} arrived`);
  });
});
