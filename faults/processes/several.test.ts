import { createChance, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { describe, expect, it } from 'vitest';
import { beingSent, expectNothingLost } from '../support/audit.ts';
import { signUp, startCrowd } from '../support/crowd.ts';
import { expectMailsSent, startDeployment, unknownAfterLease } from '../support/deployment.ts';
import { emptyLedger } from '../support/ledger.ts';

const KILLS = rounds({ short: 2, long: 20 });
const SERVERS = 3;
const PEOPLE = 40;
const ACKNOWLEDGEMENTS_BETWEEN_KILLS = 60;

describe(`${SERVERS} servers on one file`, () => {
  it('store one signup and send one message if all receive the same address at once', async () => {
    const deployment = await startDeployment();
    const ledger = emptyLedger();
    // Started together, so that they also compete to create the database.
    const servers = await Promise.all(Array.from({ length: SERVERS }, () => deployment.serve()));
    const emails = Array.from({ length: PEOPLE }, (_, person) => `person-${person}@example.org`);
    // Each server gets each address from a different client. Only one of the clients may get 201.
    const created = await Promise.all(
      servers.flatMap(({ origin }) => emails.map((email) => signUp(origin, email, emptyLedger()))),
    );
    expect(created.filter(Boolean)).toHaveLength(PEOPLE);
    await expectMailsSent(deployment, ledger, new Set());
    expect(emails.map((email) => deployment.mailbox.mailsTo(email).length)).toEqual(emails.map(() => 1));
    for (const server of servers) await server.stop();
  });

  it(`lose nothing and send nothing twice while ${KILLS} of them are killed under load`, async () => {
    const chance = createChance('several servers');
    const deployment = await startDeployment();
    const [ledger, inFlight] = [emptyLedger(), new Set<string>()];
    const servers = await Promise.all(Array.from({ length: SERVERS }, () => deployment.serve()));
    const target = { acknowledgements: 0, reached: () => {} };
    const crowd = startCrowd({
      url: () => servers[chance.below(SERVERS)]?.origin ?? '',
      ledger,
      onAcknowledged: () => ledger.acknowledgements >= target.acknowledgements && target.reached(),
    });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { promise, resolve } = Promise.withResolvers<void>();
      Object.assign(target, {
        acknowledgements: ledger.acknowledgements + ACKNOWLEDGEMENTS_BETWEEN_KILLS,
        reached: resolve,
      });
      await promise;
      const victim = servers[chance.below(SERVERS)];
      await victim?.kill();
      // Includes messages of the running servers, which may arrive, but at most once.
      for (const email of beingSent(deployment.file)) inFlight.add(email);
      await victim?.start();
    }
    crowd.leave();
    await crowd.gone;
    expectNothingLost(deployment.file, ledger);
    await expectMailsSent(deployment, ledger, inFlight);
    for (const server of servers) await server.stop();
    expect(await unknownAfterLease(deployment.file)).toBeLessThanOrEqual(inFlight.size);
    report('several servers: kills', `${KILLS} of ${SERVERS} servers on one file`);
    report('several servers: acknowledged signups lost', `0 of ${ledger.created.size}`);
    report('several servers: mails sent twice', `0 of ${ledger.requested.size}`);
  });
});
