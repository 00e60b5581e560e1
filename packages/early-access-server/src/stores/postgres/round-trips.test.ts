import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { sha256 } from '../../app/access/secrets.ts';
import { EVERYONE } from '../../app/people/people.ts';
import type { ClaimedMessage } from '../../app/ports/store.ts';
import { postgresForFile } from '../../fixtures/postgres.ts';
import { exampleSession, exampleSignup, updateOf } from '../../testing/examples.ts';
import { postgresStore } from './postgres-store.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);
const postgres = postgresForFile();

/**
 * Counts how often a connection waits for the server: statements that are sent while it waits anyway take no further
 * round trip.
 */
async function opened() {
  const url = await postgres().createDatabase();
  const store = postgresStore({ url, clock: () => NOW, confirm: true });
  await store.ping();
  const trips = { count: 0 };
  const waiting = new WeakMap<pg.Client, number>();
  const { query } = pg.Client.prototype;
  /** Every way in which the driver sends a statement ends here. */
  function counted(this: pg.Client, ...parameters: readonly unknown[]): unknown {
    const before = waiting.get(this) ?? 0;
    if (before === 0) trips.count += 1;
    waiting.set(this, before + 1);
    const done = () => waiting.set(this, (waiting.get(this) ?? 1) - 1);
    const result: unknown = Reflect.apply(query, this, parameters);
    if (result instanceof Promise) result.then(done, done);
    return result;
  }
  Object.assign(pg.Client.prototype, { query: counted });
  onTestFinished(async () => {
    Object.assign(pg.Client.prototype, { query });
    await store.close();
  });
  async function countTrips(work: () => Promise<unknown>): Promise<number> {
    trips.count = 0;
    await work();
    return trips.count;
  }
  return { store, countTrips };
}

it('makes few round trips for what visitors and the mail worker wait for', async () => {
  const { store, countTrips } = await opened();
  const { mails, list } = store;
  const session = exampleSession(NOW);
  await store.startSession(exampleSession(NOW));
  await store.createSignup(exampleSignup({ email: 'first@example.org' }));
  const trips = {
    sessionStart: await countTrips(() => store.startSession(session)),
    sessionUpdate: await countTrips(() => store.updateSession(session.id, updateOf(session, { page_count: 2 }))),
    signup: await countTrips(() => store.createSignup(exampleSignup({ email: 'second@example.org' }))),
  };
  for (const tag of 'abc') await store.createSignup(exampleSignup({ email: `${tag}@example.org` }));
  const due = mails.due();
  const claimMany = async (callers: number) => {
    const claims: ClaimedMessage[] = [];
    const count = await countTrips(async () => {
      const found = await Promise.all(Array.from({ length: callers }, () => due.claimNext()));
      claims.push(...found.filter((claim) => typeof claim !== 'string'));
    });
    return { claims, count };
  };
  const one = await claimMany(1);
  const [message] = one.claims;
  if (message === undefined) throw new Error('nothing was claimed');
  const outcome = await countTrips(() => mails.recordOutcome(message, { state: 'sent' }));
  const { claims: four, count: fourClaims } = await claimMany(4);
  expect(four.map(({ email }) => email).toSorted()).toEqual([
    'a@example.org',
    'b@example.org',
    'c@example.org',
    'second@example.org',
  ]);
  const fourOutcomes = await countTrips(() =>
    Promise.all(four.map((claim) => mails.recordOutcome(claim, { state: 'sent' }))),
  );
  const confirm = await countTrips(() => list.confirm(sha256(message.tokens.link ?? ''), null));
  const inviteWave = await countTrips(() => list.invite({ after: null, who: { count: 1, filter: EVERYONE } }));
  const waves = await countTrips(() => list.waves(10));
  expect(await list.waves(10)).toMatchObject([{ people: 1, queued: 1 }]);
  expect({ ...trips, claim: one.count, fourClaims, outcome, fourOutcomes, confirm, inviteWave, waves }).toEqual({
    sessionStart: 3,
    sessionUpdate: 2,
    signup: 4,
    // As many for one caller as for all that claim at the same moment.
    claim: 3,
    fourClaims: 3,
    outcome: 2,
    fourOutcomes: 2,
    confirm: 7,
    inviteWave: 6,
    waves: 1,
  });
});
