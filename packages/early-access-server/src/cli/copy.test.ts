import { type PostgresServer, startPostgres } from '@early-access-kit/testkit/postgres-server';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EVERYONE } from '../app/admin/people.ts';
import { NO_TALLIES } from '../app/analytics/analytics.ts';
import { run } from '../fixtures/child-server.ts';
import { openData } from './data-folder.ts';
import { openPostgres } from './postgres.ts';

const COPY = ['copy', '--from', 'sqlite', '--to', 'postgres'];
const DAY_MS = 86_400_000;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

/** A folder with so many people, half of them with a session, and something in every table. */
async function filledFolder(people: number): Promise<string> {
  const folder = tempFolder();
  const store = openData(folder);
  await store.webhooks.add({
    url: 'https://hooks.example.com/1',
    secret: 'whsec_c2VjcmV0',
    format: 'json',
    events: ['signup.created', 'person.erased'],
  });
  await Promise.all(
    Array.from({ length: people }, async (_, index) => {
      const session = sessionOf({
        id: `session-number-${index}`,
        visitor_id: `visitor-number-${index % 40}`,
        session_start: Date.now() - (index % 5) * DAY_MS,
        utm_source: `source-${index % 7}`,
        referrer: 'https://search.example/?q=ü',
      });
      if (index % 2 === 0)
        await store.updateSession(session.id, updateOf(session, { page_count: 2, total_duration: 20 }));
      const fields = { role: `O'Brien "${index}" \\ 漢字`, news: true } as const;
      await store.createSignup(
        signupOf({ email: `person-${index}@example.org`, session_id: session.id, ...(index % 3 > 0 && { fields }) }),
      );
    }),
  );
  const claim = await store.mails.due().claimNext();
  if (typeof claim === 'string') throw new Error('no message is due');
  await store.mails.recordOutcome(claim, { state: 'failed', reason: '550 unknown user' });
  await store.list.invite({ after: null, who: { count: 3, filter: EVERYONE } });
  await store.erase('person-2@example.org');
  await store.apiKeys.add({ hash: 'a'.repeat(64), name: 'Reports', scopes: ['numbers'] });
  await store.apiKeys.recordUse('a'.repeat(64), { action: 'api-key-used', route: 'GET /api/admin/list' });
  await store.analytics.addTallies({ ...NO_TALLIES, robots: 3, human_replayed: 2 });
  await store.close();
  return folder;
}

/** What the dashboard and the exports show of a store. */
async function contentOf(store: Awaited<ReturnType<typeof openPostgres>>) {
  const people = [];
  for await (const person of store.people.all(EVERYONE)) people.push(person);
  const end = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  const query = { buckets: [end - 7 * DAY_MS, end - DAY_MS], end, previousStart: end - 9 * DAY_MS };
  return {
    people,
    mails: await store.mails.counts(),
    waves: await store.list.waves(10),
    webhooks: await store.webhooks.list(),
    apiKeys: await store.apiKeys.list(),
    audit: await store.admin.audit(10),
    analytics: await store.analytics.read({ ...query, filter: {} }),
    filtered: await store.analytics.read({ ...query, filter: { utm_source: 'source-1' } }),
    summary: await store.readSummary(),
  };
}

async function open(url: string) {
  const store = await openPostgres(url, {});
  onTestFinished(() => store.close());
  return store;
}

describe('copy', { timeout: 180_000 }, () => {
  it('makes a store that shows and goes on like its source', async () => {
    const DATA_DIR = await filledFolder(60);
    const url = await server.createDatabase();
    const { code, stdout, stderr } = await run(COPY, { DATA_DIR, DATABASE_URL: url }).finished;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^email_signups: 59 of 59$/m)]);
    expect(stdout).toMatch(/^email_signups +59 rows {2}[0-9a-f]{32}$/m);
    expect(stdout).toMatch(/All counts and checksums are equal\.\n$/);
    const source = openData(DATA_DIR);
    onTestFinished(() => source.close());
    const target = await open(url);
    expect(await contentOf(target)).toEqual(await contentOf(source));
    expect(await target.createSignup(signupOf({ email: 'person-1@example.org' }))).toBe('duplicate');
    expect(await target.createSignup(signupOf({ email: 'new@example.org' }))).toBe('created');
    for (const store of [source, target]) await store.erase('person-4@example.org');
    await source.createSignup(signupOf({ email: 'new@example.org' }));
    expect((await contentOf(target)).filtered).toEqual((await contentOf(source)).filtered);
  });

  it('goes on after it was killed, with what has changed since', async () => {
    const DATA_DIR = await filledFolder(4_500);
    const url = await server.createDatabase();
    const env = { DATA_DIR, DATABASE_URL: url };
    for (const line of [/^(email_signups: 2000)/m, /^(email_signups: 4[1-9]\d\d)/m, /^(mails: 2000)/m]) {
      const interrupted = run(COPY, env);
      await interrupted.printedMatch('stderr', line);
      await interrupted.end('SIGKILL');
      const source = openData(DATA_DIR);
      await source.createSignup(signupOf({ email: `late-${line.source.length}@example.org` }));
      await source.erase('person-4@example.org');
      await source.erase('person-4400@example.org');
      source.close();
    }
    const { code, stdout, stderr } = await run(COPY, env).finished;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Going on with the copy that was begun\.$/m)]);
    expect(stdout).toMatch(/^email_signups +4500 rows/m);
    const source = openData(DATA_DIR);
    onTestFinished(() => source.close());
    expect(await contentOf(await open(url))).toEqual(await contentOf(source));
  });

  it('copies what a running server writes meanwhile, and says that it does', async () => {
    const DATA_DIR = await filledFolder(3_000);
    const source = openData(DATA_DIR);
    onTestFinished(() => source.close());
    const url = await server.createDatabase();
    const copying = run(COPY, { DATA_DIR, DATABASE_URL: url });
    await copying.printedMatch('stderr', /^(email_signups: 2000)/m);
    await source.createSignup(signupOf({ email: 'meanwhile@example.org' }));
    await source.erase('person-10@example.org');
    const { code, stderr } = await copying.finished;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^The file has changed meanwhile/m)]);
    expect(await contentOf(await open(url))).toEqual(await contentOf(source));
  });

  it('refuses a database with other data, and one that it has filled before', async () => {
    const [DATA_DIR, other] = [await filledFolder(3), await filledFolder(3)];
    const [used, url] = [await server.createDatabase(), await server.createDatabase()];
    await (await open(used)).createSignup(signupOf());
    const copyTo = async (target: string, folder = DATA_DIR) => {
      const { code, stderr } = await run(COPY, { DATA_DIR: folder, DATABASE_URL: target }).finished;
      return [code, stderr];
    };
    const otherData =
      /^early-access-kit: the database at 127\.0\.0\.1:\d+\/\w+ holds other data; copy to an empty one\n$/;
    expect(await copyTo(used)).toEqual([1, expect.stringMatching(otherData)]);
    expect(await copyTo(url)).toEqual([0, expect.any(String)]);
    expect(await copyTo(url)).toEqual([1, expect.stringMatching(/^[^\n]*was copied from this file before[^\n]*\n$/)]);
    expect(await copyTo(url, other)).toEqual([1, expect.stringMatching(otherData)]);
  });

  it.each([
    [['copy'], {}, 2, /^early-access-kit: usage: copy --from sqlite --to postgres\n$/],
    [COPY, {}, 1, /^early-access-kit: DATABASE_URL must look like postgres:[^\n]*\n$/],
    [
      COPY,
      { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' },
      1,
      /^early-access-kit: there is no [^\n]*sqlite; set DATA_DIR/,
    ],
  ])('says in one line what is wrong with %j %j', async (args, env, code, line) => {
    const finished = await run(args, { DATA_DIR: tempFolder(), ...env }).finished;
    expect([finished.code, finished.stderr]).toEqual([code, expect.stringMatching(line)]);
  });
});
