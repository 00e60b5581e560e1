import { chanceOf, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { describe, expect, it } from 'vitest';
import { beingSent, expectPromisesKept } from '../support/audit.ts';
import { signUp, startCrowd } from '../support/crowd.ts';
import { expectMailsSent, startDeployment, unknownAfterLease } from '../support/deployment.ts';
import { emptyLedger } from '../support/ledger.ts';

const KILLS = rounds({ short: 2, long: 20 });
const SERVERS = 3;
const PEOPLE = 40;
const PROMISES_BETWEEN_KILLS = 60;

describe(`${SERVERS} servers on one file`, () => {
  it('keep one record and send one mail for an address that all of them are told at once', async () => {
    const deployment = await startDeployment();
    const ledger = emptyLedger();
    // Started at once, so that they also meet while the database is made.
    const servers = await Promise.all(Array.from({ length: SERVERS }, () => deployment.serve()));
    const emails = Array.from({ length: PEOPLE }, (_, person) => `person-${person}@example.org`);
    // Each server hears of each person from somebody else, who must not be told that he was the one.
    const told = await Promise.all(
      servers.flatMap(({ origin }) => emails.map((email) => signUp(origin, email, emptyLedger()))),
    );
    expect(told.filter(Boolean)).toHaveLength(PEOPLE);
    await expectMailsSent(deployment, ledger, new Set());
    expect(emails.map((email) => deployment.mailbox.mailsTo(email).length)).toEqual(emails.map(() => 1));
    for (const server of servers) await server.stop();
  });

  it(`lose nothing and send nothing twice while ${KILLS} of them are killed under load`, async () => {
    const chance = chanceOf('several servers');
    const deployment = await startDeployment();
    const [ledger, inFlight] = [emptyLedger(), new Set<string>()];
    const servers = await Promise.all(Array.from({ length: SERVERS }, () => deployment.serve()));
    const enough = { promises: 0, reached: () => {} };
    const crowd = startCrowd({
      url: () => servers[chance.below(SERVERS)]?.origin ?? '',
      ledger,
      onPromise: () => ledger.promises >= enough.promises && enough.reached(),
    });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { promise, resolve } = Promise.withResolvers<void>();
      Object.assign(enough, { promises: ledger.promises + PROMISES_BETWEEN_KILLS, reached: resolve });
      await promise;
      const victim = servers[chance.below(SERVERS)];
      await victim?.kill();
      // Those of the others are among them, and may well arrive: nothing is asked of them but to be at most one.
      for (const email of beingSent(deployment.file)) inFlight.add(email);
      await victim?.start();
    }
    crowd.leave();
    await crowd.gone;
    expectPromisesKept(deployment.file, ledger);
    await expectMailsSent(deployment, ledger, inFlight);
    for (const server of servers) await server.stop();
    expect(await unknownAfterLease(deployment.file)).toBeLessThanOrEqual(inFlight.size);
    report('several servers: kills', `${KILLS} of ${SERVERS} servers on one file`);
    report('several servers: acknowledged sign-ups lost', `0 of ${ledger.created.size}`);
    report('several servers: mails sent twice', `0 of ${ledger.asked.size}`);
  });
});
