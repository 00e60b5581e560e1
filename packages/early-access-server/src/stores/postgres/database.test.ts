import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openRaw, postgresForFile } from '../../fixtures/postgres.ts';
import { sql } from '../sql/statement.ts';
import { connect } from './connection.ts';
import { openDatabase } from './database.ts';
import { isConflict, isIntegrityViolation, isOutageCode, readSqlState, withTimeout } from './failures.ts';
import { LATER_STEPS, MIGRATION_LOCK, migrate } from './migrations.ts';

const postgres = postgresForFile();

async function opened() {
  const url = await postgres().createDatabase();
  const database = openDatabase(connect(url, 5));
  onTestFinished(() => database.close());
  return { ...database, url };
}

it('repeats a transaction that another one has overtaken, five times at most', async () => {
  const { write } = await opened();
  const conflict = sql`DO $$ BEGIN RAISE EXCEPTION 'overtaken' USING ERRCODE = '40001'; END $$`;
  const attempts = { conflicts: 0, failures: 0, successes: 0 };
  const conflicting = write(function* () {
    attempts.conflicts += 1;
    yield* conflict;
  });
  await expect(conflicting).rejects.toMatchObject({ code: 'unavailable', cause: { message: 'overtaken' } });
  const failing = write(function* () {
    yield* sql`SELECT 1`;
    attempts.failures += 1;
    throw new Error('no');
  });
  await expect(failing).rejects.toMatchObject({ code: 'unavailable', cause: { message: 'no' } });
  const succeeding = write(function* () {
    attempts.successes += 1;
    if (attempts.successes < 5) yield* conflict;
    return 'claimed';
  });
  expect(await succeeding).toBe('claimed');
  expect(attempts).toEqual({ conflicts: 5, failures: 1, successes: 5 });
});

it('waits for no migration if the schema is the newest', async () => {
  const url = await postgres().createDatabase();
  const [database, other] = [connect(url, 1), openRaw(url)];
  onTestFinished(async () => {
    await database.end();
    await other.end();
  });
  await migrate(database);
  await other.begin(async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    await migrate(database);
  });
});

it('makes each future step once', async () => {
  const database = connect(await postgres().createDatabase(), 1);
  onTestFinished(() => database.end());
  const known = 1 + LATER_STEPS.length;
  const step = 'CREATE TABLE early_access.notes (note text)';
  await migrate(database);
  await migrate(database, [...LATER_STEPS, step]);
  await migrate(database, [...LATER_STEPS, step]);
  expect([...(await database.run(sql`SELECT version FROM @schema_steps`))]).toEqual([{ version: known + 1 }]);
  await expect(migrate(database)).rejects.toThrow(
    `the database has schema version ${known + 1} and this program knows ${known}; use the newer program`,
  );
});

it('reads one state of the database in a snapshot', async () => {
  const { read, write, url } = await opened();
  const other = openRaw(url);
  onTestFinished(() => other.end());
  /** The second statement of the snapshot waits until the write is stored. */
  const readSignups = async (): Promise<unknown[]> => {
    await other`SELECT pg_advisory_lock(1)`;
    const { promise: hasRead, resolve } = Promise.withResolvers<void>();
    const reading = read(function* () {
      const [before] = yield* sql`SELECT signups FROM @totals`;
      resolve();
      yield* sql`SELECT pg_advisory_xact_lock(1)`;
      const [after] = yield* sql`SELECT signups FROM @totals`;
      return [before?.signups, after?.signups];
    });
    await hasRead;
    await write(function* () {
      yield* sql`UPDATE @totals SET signups = signups + 1`;
    });
    await other`SELECT pg_advisory_unlock(1)`;
    return reading;
  };
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
  expect(await withTimeout(1_000, Promise.resolve('done'))).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
  const hanging = expect(withTimeout(1_000, new Promise(() => {}))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('the database does not respond'),
  });
  await vi.advanceTimersByTimeAsync(1_000);
  await hanging;
});
