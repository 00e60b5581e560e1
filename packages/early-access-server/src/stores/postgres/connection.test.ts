import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openRaw, postgresForFile } from '../../fixtures/postgres.ts';
import { raw, runUnread, sql } from '../sql/statement.ts';
import { connect, type Sql } from './connection.ts';

const postgres = postgresForFile();

const UNAVAILABLE = { name: 'StorageError', code: 'unavailable' };

async function connected() {
  const url = await postgres().createDatabase();
  const [database, other] = [connect(url, 1), openRaw(url)];
  onTestFinished(async () => {
    await database.end();
    await other.end();
  });
  return { database, other };
}

const SELECT_PROCESS = sql`SELECT pg_backend_pid() AS pid`;
/** Identifies a connection. */
const readProcess = async ({ run }: Sql) => (await run(SELECT_PROCESS))[0]?.pid;

it('names itself to the server, and returns the rows of the last of several statements', async () => {
  const { database } = await connected();
  const last = await database.run(raw("SELECT 1; SELECT 2; SELECT current_setting('application_name') AS name"));
  expect(last).toEqual(Object.assign([{ name: 'early-access-server' }], { count: 1 }));
});

it('stores nothing of a transaction in which a statement has failed', async () => {
  const { database } = await connected();
  const half = database.begin('BEGIN', function* () {
    yield* sql`CREATE TABLE half ()`;
    yield* sql`SELECT 1 / 0`;
  });
  await expect(half).rejects.toThrow('division by zero');
  await expect(database.run(sql`SELECT * FROM half`)).rejects.toThrow('does not exist');
});

it('replaces a connection that is cut between two statements of a transaction', async () => {
  const { database, other } = await connected();
  /** Sends the next statement after the connection is gone. */
  function cutBeforeNext(pid: unknown): void {
    const send = pg.Client.prototype.query;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementationOnce(async function (this: pg.Client, query: string) {
      vi.restoreAllMocks();
      await other`SELECT pg_terminate_backend(${pid}::integer)`;
      await vi.waitFor(async () =>
        expect(await other`SELECT 1 FROM pg_stat_activity WHERE pid = ${pid}`).toHaveLength(0),
      );
      return Reflect.apply(send, this, [query]);
    });
  }
  const cut = database.begin('BEGIN', function* () {
    const [row] = yield* SELECT_PROCESS;
    cutBeforeNext(row?.pid);
    yield* sql`SELECT 1`;
  });
  await expect(cut).rejects.toMatchObject(UNAVAILABLE);
  expect(await database.run(sql`SELECT 1`)).toHaveLength(1);
});

it('replaces a connection on which a transaction could not be ended', async () => {
  const { database } = await connected();
  const before = await readProcess(database);
  const failed = database.begin('BEGIN', function* () {
    yield* sql`SELECT 1`;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementationOnce(() => Promise.reject(new Error('read timeout')));
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  vi.restoreAllMocks();
  expect(await readProcess(database)).not.toBe(before);
});

it.each(['the last', 'followed by one that is awaited'])(
  'stores nothing if a statement fails whose result is not read, %s',
  async (place) => {
    const { database } = await connected();
    const failed = database.begin('BEGIN', function* () {
      yield* sql`CREATE TABLE notes (note integer NOT NULL)`;
      yield* runUnread(sql`INSERT INTO notes VALUES (NULL)`);
      if (place !== 'the last') yield* sql`SELECT 1`;
    });
    await expect(failed).rejects.toMatchObject({ code: '23502' });
    expect([...(await database.run(sql`SELECT to_regclass('notes') AS notes`))]).toEqual([{ notes: null }]);
  },
);

it('rejects with a storage error if there is no server', async () => {
  const database = connect('postgres://127.0.0.1:1/nowhere', 1);
  onTestFinished(() => database.end());
  await expect(database.run(sql`SELECT 1`)).rejects.toMatchObject(UNAVAILABLE);
});
