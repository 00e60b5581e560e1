import { setTimeout as sleep } from 'node:timers/promises';
import { createChance, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { readMemory } from '@early-access-kit/testkit/memory';
import { type SqliteStore, sqliteStore } from 'early-access-server/sqlite';
import { expect, it } from 'vitest';
import { readFile } from '../support/audit.ts';
import { startDeployment, unknownAfterLease } from '../support/deployment.ts';

const KILLS = rounds({ short: 3, long: 20 });
const PEOPLE = rounds({ short: 400, long: 100_000 });
/** All killed runs together send fewer emails than there are people, so that the last run has something to do. */
const MAX_MAILS_PER_RUN = Math.floor(PEOPLE / (KILLS + 1));
const BATCH = 500;
/** The limit for the server's process, independent of the number of people. */
const MAX_MEGABYTES = 256;

/** Adds the people and starts a campaign to all of them. */
async function startCampaign(store: SqliteStore): Promise<string> {
  const person = (index: number) =>
    ({ email: `p${index}@x${index}.example`, source: 'fair', created_at: Date.now(), state: 'subscribed' }) as const;
  for (let first = 0; first < PEOPLE; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, PEOPLE - first) }, (_, index) => person(first + index));
    await store.list.importPeople(batch, { welcome: false });
  }
  const audience = { states: ['subscribed'], source: null } as const;
  const { id } = await store.campaigns.create({ subject: 'We are live', body: '# Come in', audience });
  await store.campaigns.change(id, 'sending');
  return id;
}

/** Runs `work` on the file while no server has it open. */
async function withStore<T>(file: string, work: (store: SqliteStore) => T): Promise<Awaited<T>> {
  const store = sqliteStore({ file });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

it(`kill -9 during a launch, ${KILLS} times, ${PEOPLE} people: each gets the email once at most, and everyone who gets none is shown as unknown`, async () => {
  const chance = createChance('launch');
  /** Accepted emails by recipient; the emails themselves are not stored, because they are many. */
  const mails = new Map<string, number>();
  let accepted = 0;
  const deployment = await startDeployment({
    onData(stream, { envelope }, callback) {
      stream.resume().on('end', () => {
        for (const { address } of envelope.rcptTo) mails.set(address, (mails.get(address) ?? 0) + 1);
        accepted += 1;
        callback();
      });
    },
  });
  const id = await withStore(deployment.file, startCampaign);
  const server = await deployment.serve();
  let megabytes = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    if (kill > 1) await server.start();
    const enough = accepted + chance.below(MAX_MAILS_PER_RUN);
    while (accepted < enough) await sleep(1);
    megabytes = Math.max(megabytes, readMemory(server.pid).most);
    await server.kill();
  }

  await server.start();
  const started = performance.now();
  const before = accepted;
  const waiting = () =>
    readFile(deployment.file, (raw) => {
      const row = raw.prepare('SELECT last_id > position AS is_fed, sent FROM campaigns').get();
      const queued = raw.prepare("SELECT count(*) AS queued FROM mails WHERE state = 'queued'").get();
      return Number(row?.is_fed) + Number(queued?.queued);
    });
  while (waiting() > 0) await sleep(100);
  const perSecond = Math.round(((accepted - before) * 1_000) / (performance.now() - started));
  megabytes = Math.max(megabytes, readMemory(server.pid).most);
  await server.stop();

  const unknown = await unknownAfterLease(deployment.file);
  const campaign = await withStore(deployment.file, async (store) => {
    await store.campaigns.feed();
    return store.campaigns.find(id);
  });
  expect(campaign).toMatchObject({ state: 'done', people: PEOPLE, sent: PEOPLE - unknown, failed: 0, unknown });
  expect([...mails].filter(([, count]) => count > 1)).toEqual([]);
  // Some messages of unknown outcome were accepted, so their recipients got them.
  expect(PEOPLE - mails.size).toBeLessThanOrEqual(unknown);
  expect(megabytes).toBeLessThan(MAX_MEGABYTES);
  report('launch: kills', KILLS);
  report('launch: people with two emails', `0 of ${PEOPLE}`);
  report('launch: unknown, of which arrived', `${unknown}, ${unknown - (PEOPLE - mails.size)}`);
  report('launch: emails per second', perSecond);
  report('launch: memory at its peak', `${Math.round(megabytes)} MB`);
});
