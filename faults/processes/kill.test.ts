import { watch } from 'node:fs';
import type { Server } from '@early-access-kit/testkit/built-server';
import { type Chance, createChance, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { startWebhookReceiver, type WebhookReceiver } from '@early-access-kit/testkit/webhook-receiver';
import { HOUR_MS } from 'early-access-kit/internal';
import { readField } from 'early-access-server/internal';
import { sqliteStore } from 'early-access-server/sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { beingSent, expectNothingLost, readFile } from '../support/audit.ts';
import { startCrowd } from '../support/crowd.ts';
import { expectMailsSent, startDeployment, unknownAfterLease } from '../support/deployment.ts';
import { emptyLedger, type Ledger } from '../support/ledger.ts';

const KILLS = rounds({ short: 4, long: 100 });
/** Each kill waits for up to this many acknowledgments, then for up to this many started requests. */
const MAX_ACKNOWLEDGEMENTS = 160;
const MAX_REQUESTS = 12;
/** In every eighth round, the server is killed during startup, after up to `MAX_CHANGES` changes in its folder. */
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

const SECRET = `whsec_${'A'.repeat(32)}`;

/** Adds an endpoint to the list in this database file. */
async function addEndpoint(file: string): Promise<WebhookReceiver> {
  const receiver = await startWebhookReceiver();
  onTestFinished(receiver.close);
  const store = sqliteStore({ file });
  await store.webhooks.add({ url: receiver.url, secret: SECRET, format: 'json', events: ['signup.created'] });
  store.close();
  return receiver;
}

/** Returns the addresses of the events in a state. */
function addresses(file: string, state: 'queued' | 'sending'): string[] {
  const rows = readFile(file, (raw) =>
    raw
      .prepare(
        `SELECT email FROM webhook_deliveries AS delivery JOIN email_signups ON signup_id = email_signups.id
        WHERE delivery.state = ?`,
      )
      .all(state),
  );
  return rows.map(({ email }) => String(email));
}

/** Waits until the delivery of every event has started. */
async function waitForDeliveries(file: string): Promise<void> {
  await vi.waitFor(() => expect(addresses(file, 'queued')).toEqual([]), { interval: 100 });
}

/**
 * Expects that the receiver got an event for each acknowledged signup, unless the server was killed while sending it;
 * that event is sent again after its lease. Returns the number of such events.
 */
async function expectEventsSent(receiver: WebhookReceiver, file: string, { created }: Ledger): Promise<number> {
  const told = new Set(receiver.events(SECRET).map((event) => readField(readField(event, 'data'), 'email')));
  const interrupted = new Set(addresses(file, 'sending'));
  expect([...created].filter((email) => !told.has(email) && !interrupted.has(email))).toEqual([]);
  const store = sqliteStore({ file, clock: () => Date.now() + HOUR_MS });
  expect(await store.webhooks.expireLeases()).toBe(interrupted.size);
  store.close();
  expect(new Set(addresses(file, 'queued'))).toEqual(interrupted);
  return interrupted.size;
}

it(`kill -9 under load, ${KILLS} times: nothing acknowledged is lost, every message is sent exactly once, and every event at least once`, async () => {
  const chance = createChance('kill -9');
  const deployment = await startDeployment(undefined, { WEBHOOK_ALLOW_LOCAL: 'on' });
  const [ledger, inFlight] = [emptyLedger(), new Set<string>()];
  const server = await deployment.serve();
  await server.kill();
  const receiver = await addEndpoint(deployment.file);
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
  await waitForDeliveries(deployment.file);
  await server.stop();
  expectNothingLost(deployment.file, ledger);
  const interrupted = await expectEventsSent(receiver, deployment.file, ledger);
  // This includes leases that expired during a long run.
  expect(await unknownAfterLease(deployment.file)).toBe(inFlight.size);
  expect(ledger.created.size).toBeGreaterThan(0);
  expect(ledger.sessions.size).toBeGreaterThan(0);
  report('kill -9: kills', KILLS);
  report('kill -9: acknowledged signups lost', `0 of ${ledger.created.size}`);
  report('kill -9: acknowledged sessions lost', `0 of ${ledger.sessions.size}`);
  report('kill -9: mails sent twice', `0 of ${ledger.requested.size}`);
  report('kill -9: events in flight at a kill', `${interrupted}, sent again after their lease`);
  report('kill -9: mails in flight at a kill', `${inFlight.size}, of which ${arrived} arrived`);
});
