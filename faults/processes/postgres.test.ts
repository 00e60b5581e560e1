import { createChance, report, rounds } from '@early-access-kit/testkit/fault-runs';
import { startPostgres } from '@early-access-kit/testkit/postgres-server';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { expectSessions, expectSignups } from '../support/audit.ts';
import { postAsNewClient, startCrowd } from '../support/crowd.ts';
import { startDeployment } from '../support/deployment.ts';
import { emptyLedger, type Ledger } from '../support/ledger.ts';

const KILLS = rounds({ short: 3, long: 20 });
const SERVERS = 2;
const ACKNOWLEDGEMENTS_BETWEEN_FAULTS = 80;

/** Starts two servers on one database of a durable Postgres server. */
async function startServers() {
  const postgres = await startPostgres({ durable: true });
  onTestFinished(postgres.close);
  const url = await postgres.createDatabase();
  const deployment = await startDeployment(undefined, { DATABASE_URL: url });
  const servers = await Promise.all(Array.from({ length: SERVERS }, () => deployment.serve()));
  const query = async (sql: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  return { postgres, deployment, servers, query };
}
type Servers = Awaited<ReturnType<typeof startServers>>;

const MAILS = `SELECT email, mails.state FROM early_access.email_signups AS signup
  JOIN early_access.mails ON mails.signup_id = signup.id`;
const SUMS = `
  SELECT (SELECT coalesce(sum(sessions), 0) FROM early_access.analytics_hours) = (SELECT count(*) FROM early_access.sessions)
    AND (SELECT coalesce(sum(duration), 0) FROM early_access.analytics_hours)
      = (SELECT coalesce(sum(total_duration), 0) FROM early_access.sessions)
    AND (SELECT coalesce(sum(signups), 0) FROM early_access.analytics_days) = (SELECT count(*) FROM early_access.email_signups)
    AND (SELECT signups FROM early_access.totals) = (SELECT count(*) FROM early_access.email_signups) AS are_right`;

/** Expects that everything acknowledged is stored, and that the sums match the rows. */
async function expectNothingLost({ query }: Servers, ledger: Ledger): Promise<void> {
  expectSignups(ledger, await query('SELECT email, submission_id FROM early_access.email_signups'));
  expectSessions(ledger, await query('SELECT id, visitor_id, click_count FROM early_access.sessions'));
  expect(await query(SUMS)).toEqual([{ are_right: true }]);
}

/**
 * Waits until the queue is empty. Expects that no one got two emails, and that everyone got one, unless theirs was
 * being sent when a server was killed.
 */
async function expectMailsSent({ query, deployment }: Servers, inFlight: ReadonlySet<string>): Promise<void> {
  const open = async () =>
    (await query(`${MAILS} WHERE mails.state IN ('queued', 'sending')`)).filter(
      ({ email }) => !inFlight.has(String(email)),
    );
  await vi.waitFor(async () => expect(await open()).toEqual([]), { interval: 100 });
  const mails = (await query(MAILS)).map(({ email, state }) => ({
    ...{ email, state },
    received: deployment.mailbox.mailsTo(String(email)).length,
  }));
  expect(mails.filter(({ received }) => received > 1)).toEqual([]);
  expect(mails.filter(({ email, received }) => received !== 1 && !inFlight.has(String(email)))).toEqual([]);
}

/** Signs people up at both servers. `acknowledged(count)` resolves after `count` more acknowledgements. */
function startLoad({ servers }: Servers, ledger: Ledger) {
  const chance = createChance('Postgres');
  let wanted = 0;
  let reached = () => {};
  const crowd = startCrowd({
    url: () => servers[chance.below(SERVERS)]?.origin ?? '',
    ledger,
    onAcknowledged: () => ledger.acknowledgements >= wanted && reached(),
  });
  return {
    ...crowd,
    chance,
    acknowledged(count: number) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wanted = ledger.acknowledgements + count;
      reached = resolve;
      return promise;
    },
  };
}

describe(`${SERVERS} servers on one Postgres database`, () => {
  it(`lose nothing and send nothing twice while ${KILLS} of them are killed under load`, async () => {
    const running = await startServers();
    const [ledger, inFlight] = [emptyLedger(), new Set<string>()];
    const load = startLoad(running, ledger);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await load.acknowledged(ACKNOWLEDGEMENTS_BETWEEN_FAULTS);
      const victim = running.servers[load.chance.below(SERVERS)];
      await victim?.kill();
      // Includes messages of the running server, which may arrive, but at most once.
      for (const { email } of await running.query(`${MAILS} WHERE mails.state = 'sending'`))
        inFlight.add(String(email));
      await victim?.start();
    }
    load.leave();
    await load.gone;
    await expectNothingLost(running, ledger);
    await expectMailsSent(running, inFlight);
    report('Postgres: kills', `${KILLS} of ${SERVERS} servers on one database`);
    report('Postgres: acknowledged signups lost', `0 of ${ledger.created.size}`);
    report('Postgres: mails sent twice', `0 of ${ledger.requested.size}`);
  });

  it('answer 503 while Postgres is away, lose nothing, and continue without a restart', async () => {
    const running = await startServers();
    const ledger = emptyLedger();
    const load = startLoad(running, ledger);
    await load.acknowledged(ACKNOWLEDGEMENTS_BETWEEN_FAULTS);
    await running.postgres.stop();
    for (const { origin } of running.servers) {
      const body = { email: 'later@example.org', source: 'landing_page', submission_id: crypto.randomUUID() };
      const response = await postAsNewClient(`${origin}/api/signups`, body);
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '1']);
      expect((await fetch(`${origin}/healthz`)).status).toBe(503);
    }
    await running.postgres.start();
    await load.acknowledged(ACKNOWLEDGEMENTS_BETWEEN_FAULTS);
    load.leave();
    await load.gone;
    for (const { origin } of running.servers) expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    await expectNothingLost(running, ledger);
    await expectMailsSent(running, new Set());
    report('Postgres away: acknowledged signups lost', `0 of ${ledger.created.size}`);
  });
});
