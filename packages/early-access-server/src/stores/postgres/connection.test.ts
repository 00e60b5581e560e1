import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { postgresForFile } from '../../fixtures/postgres.ts';
import { connect, type Queries } from './connection.ts';

const postgres = postgresForFile();

const UNAVAILABLE = { name: 'StorageError', code: 'unavailable' };

async function connected() {
  const url = await postgres().createDatabase();
  const [sql, other] = [connect(url, 1), connect(url, 1)];
  onTestFinished(async () => {
    await sql.end();
    await other.end();
  });
  return { sql, other };
}

/** Identifies a connection. */
const readProcess = async (queries: Queries) => (await queries`SELECT pg_backend_pid() AS pid`)[0]?.pid;

it('names itself to the server, and returns the rows of the last of several statements', async () => {
  const { sql } = await connected();
  const last = await sql.unsafe("SELECT 1; SELECT 2; SELECT current_setting('application_name') AS name");
  expect(last).toEqual(Object.assign([{ name: 'early-access-server' }], { count: 1 }));
});

it('stores nothing of a transaction in which a statement has failed', async () => {
  const { sql } = await connected();
  const half = sql.begin('BEGIN', async (tx) => {
    await tx`CREATE TABLE half ()`;
    await tx`SELECT 1 / 0`.then(undefined, () => {});
  });
  await expect(half).rejects.toThrow('a statement of the transaction had failed');
  await expect(sql`SELECT * FROM half`.then()).rejects.toThrow('does not exist');
});

it('replaces a connection that is cut between two statements of a transaction', async () => {
  const { sql, other } = await connected();
  const cut = sql.begin('BEGIN', async (tx) => {
    const pid = await readProcess(tx);
    await other`SELECT pg_terminate_backend(${pid}::integer)`;
    await vi.waitFor(async () =>
      expect(await other`SELECT 1 FROM pg_stat_activity WHERE pid = ${pid}`).toHaveLength(0),
    );
    await tx`SELECT 1`;
  });
  await expect(cut).rejects.toMatchObject(UNAVAILABLE);
  expect(await sql`SELECT 1`).toHaveLength(1);
});

it('replaces a connection on which a transaction could not be ended', async () => {
  const { sql } = await connected();
  const before = await readProcess(sql);
  const failed = sql.begin('BEGIN', async () => {
    vi.spyOn(pg.Client.prototype, 'query').mockImplementationOnce(() => Promise.reject(new Error('read timeout')));
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  vi.restoreAllMocks();
  expect(await readProcess(sql)).not.toBe(before);
});

it('rejects with a storage error if there is no server', async () => {
  const sql = connect('postgres://127.0.0.1:1/nowhere', 1);
  onTestFinished(() => sql.end());
  await expect(sql`SELECT 1`.then()).rejects.toMatchObject(UNAVAILABLE);
});
