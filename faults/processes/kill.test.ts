import { describe, expect, it } from 'vitest';
import type { Server } from '../../e2e/support/server.ts';
import { beingSent, expectPromisesKept } from '../support/audit.ts';
import { bench, expectMailsSent, unknownAfterLease } from '../support/bench.ts';
import { startCrowd } from '../support/crowd.ts';
import { emptyLedger } from '../support/ledger.ts';
import { type Chance, chanceOf } from '../support/random.ts';
import { report } from '../support/report.ts';
import { rounds } from '../support/scale.ts';

const KILLS = rounds({ short: 8, long: 100 });
/** A kill comes after at most so many further promises, and then at most so many milliseconds later. */
const MOST_PROMISES = 160;
const MOST_MS = 25;
/** Every so many rounds the server is killed while it starts. */
const KILL_AT_START = 8;

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Starts the server again and kills it before it serves, as a rule. */
async function killAtStart(server: Server, chance: Chance): Promise<void> {
  const started = server.start().catch(() => {});
  await wait(chance.below(300));
  await server.kill();
  await started;
}

describe('kill -9 under load', () => {
  it(`${KILLS} times: nothing acknowledged is lost, and no mail goes out twice or is forgotten`, async () => {
    const chance = chanceOf('kill -9');
    const place = await bench();
    const [ledger, inFlight] = [emptyLedger(), new Set<string>()];
    const server = await place.serve();
    await server.kill();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      if (kill % KILL_AT_START === 0) await killAtStart(server, chance);
      await server.start();
      const last = ledger.promises + chance.below(MOST_PROMISES);
      const enough = Promise.withResolvers<void>();
      const onPromise = () => {
        if (ledger.promises >= last) enough.resolve();
      };
      const crowd = startCrowd({ url: () => server.origin, ledger, onPromise });
      await enough.promise;
      await wait(chance.below(MOST_MS));
      await server.kill();
      crowd.leave();
      await crowd.gone;
      expectPromisesKept(place.file, ledger);
      for (const email of beingSent(place.file)) inFlight.add(email);
    }

    await server.start();
    const arrived = await expectMailsSent(place, ledger, inFlight);
    await server.stop();
    expectPromisesKept(place.file, ledger);
    // A lease that ran out in the course of a long run is among them already.
    expect(await unknownAfterLease(place.file)).toBe(inFlight.size);
    expect(ledger.created.size).toBeGreaterThan(0);
    expect(ledger.visits.size).toBeGreaterThan(0);
    report('kill -9: kills', KILLS);
    report('kill -9: acknowledged sign-ups lost', `0 of ${ledger.created.size}`);
    report('kill -9: acknowledged visits lost', `0 of ${ledger.visits.size}`);
    report('kill -9: mails sent twice', `0 of ${ledger.asked.size}`);
    report('kill -9: mails in flight at a kill', `${inFlight.size}, of which ${arrived} arrived`);
  });
});
