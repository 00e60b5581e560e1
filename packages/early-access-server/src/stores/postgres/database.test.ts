import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { postgresForFile } from '../../fixtures/postgres.ts';
import { connect } from './connection.ts';
import { openDatabase } from './database.ts';
import { Conflict, isConflict, isIntegrityViolation, isOutageCode, readSqlState, within } from './failures.ts';
import { MIGRATION_LOCK, migrate } from './migrations.ts';

const postgres = postgresForFile();

async function opened() {
  const database = openDatabase(connect(await postgres().createDatabase(), 5));
  onTestFinished(() => database.close());
  return database;
}

it('repeats a transaction that another one has overtaken, five times at most', async () => {
  const { claim } = await opened();
  const attempts = { conflicts: 0, failures: 0, successes: 0 };
  const conflicting = claim(async () => {
    attempts.conflicts += 1;
    throw new Conflict();
  });
  await expect(conflicting).rejects.toMatchObject({ code: 'unavailable', cause: expect.any(Conflict) });
  const failing = claim(async () => {
    attempts.failures += 1;
    throw new Error('no');
  });
  await expect(failing).rejects.toMatchObject({ code: 'unavailable', cause: { message: 'no' } });
  const succeeding = claim(async () => {
    attempts.successes += 1;
    if (attempts.successes < 5) throw new Conflict();
    return 'claimed';
  });
  expect(await succeeding).toBe('claimed');
  expect(attempts).toEqual({ conflicts: 5, failures: 1, successes: 5 });
});

it('waits for no migration if the schema is the newest', async () => {
  const sql = connect(await postgres().createDatabase(), 2);
  onTestFinished(() => sql.end());
  await migrate(sql);
  await sql.begin('BEGIN', async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    await migrate(sql);
  });
});

it('makes each future step once', async () => {
  const sql = connect(await postgres().createDatabase(), 1);
  onTestFinished(() => sql.end());
  const step = 'CREATE TABLE early_access.notes (note text)';
  await migrate(sql);
  await migrate(sql, [step]);
  await migrate(sql, [step]);
  expect([...(await sql`SELECT version FROM early_access.schema_steps`)]).toEqual([{ version: 2 }]);
  await expect(migrate(sql)).rejects.toThrow(
    'the database has schema version 2 and this program knows 1; use the newer program',
  );
});

it('reads one state of the database in a snapshot', async () => {
  const { snapshot, write } = await opened();
  const readSignups = async (): Promise<unknown[]> =>
    snapshot(async (sql) => {
      const [before] = await sql`SELECT signups FROM early_access.totals`;
      await write(async (tx) => void (await tx`UPDATE early_access.totals SET signups = signups + 1`));
      const [after] = await sql`SELECT signups FROM early_access.totals`;
      return [before?.signups, after?.signups];
    });
  expect(await readSignups()).toEqual([0, 0]);
  expect(await readSignups()).toEqual([1, 1]);
});

it.each([
  ['08006', 'outage'],
  ['25006', 'outage'],
  ['57P01', 'outage'],
  ['22008', 'other'],
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['40002', 'other'],
  ['23505', 'integrity'],
  ['42323', 'other'],
  [undefined, 'other'],
])('knows the failure %s as one of kind %s', (code, kind) => {
  const error = Object.assign(new pg.DatabaseError('no', 0, 'error'), { severity: 'ERROR', code });
  expect([isOutageCode(readSqlState(error) ?? ''), isConflict(error), isIntegrityViolation(error)]).toEqual(
    ['outage', 'conflict', 'integrity'].map((known) => known === kind),
  );
});

it('waits for a database until a deadline, and not a moment longer than the work takes', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  expect(await within(1_000, Promise.resolve('done'))).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
  const hanging = expect(within(1_000, new Promise(() => {}))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('the database does not answer'),
  });
  await vi.advanceTimersByTimeAsync(1_000);
  await hanging;
});
