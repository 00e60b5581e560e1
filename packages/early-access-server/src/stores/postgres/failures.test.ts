import type { EmailSignup, StoredSignup } from 'early-access-kit/internal';
import { expect, it, onTestFinished } from 'vitest';
import { openRaw, postgresForFile, type Raw } from '../../fixtures/postgres.ts';
import { exampleSignup } from '../../testing/examples.ts';
import { LATER_STEPS } from './migrations.ts';
import { postgresStore } from './postgres-store.ts';

const postgres = postgresForFile({ settings: { max_connections: '30' } });

const UNAVAILABLE = { name: 'StorageError', code: 'unavailable', retryAfter: 1 };

async function open(url?: string) {
  const database = url ?? (await postgres().createDatabase());
  const store = postgresStore({ url: database });
  const raw = openRaw(database);
  onTestFinished(async () => {
    await store.close();
    await raw.end();
  });
  const stored = async () => {
    const signups: StoredSignup[] = [];
    for await (const signup of store.signups()) signups.push(signup);
    return signups.map(({ email }) => email).toSorted();
  };
  return { database, store, raw, stored };
}

/** Ends all other connections to the database. */
async function cutConnections(raw: Raw): Promise<void> {
  await raw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
}

/** Repeats a signup until it is accepted, as the form's visitor does. */
async function signUp(store: ReturnType<typeof postgresStore>, signup: EmailSignup): Promise<void> {
  for (;;) {
    try {
      expect(await store.createSignup(signup)).toBe('created');
      return;
    } catch (error) {
      expect(error).toMatchObject(UNAVAILABLE);
    }
  }
}

it('answers `unavailable` while the server is away, and continues once it is back', async () => {
  const { store, stored } = await open();
  const [before, after] = [exampleSignup(), exampleSignup()];
  await store.createSignup(before);
  await postgres().stop();
  await expect(store.createSignup(after)).rejects.toMatchObject(UNAVAILABLE);
  await expect(store.ping()).rejects.toMatchObject(UNAVAILABLE);
  await postgres().start();
  await signUp(store, after);
  await store.ping();
  expect(await stored()).toEqual([before.email, after.email].toSorted());
});

it('loses no accepted signup when all connections are cut again and again, as in a failover', async () => {
  const { store, raw, stored } = await open();
  const signups = Array.from({ length: 600 }, () => exampleSignup());
  const callers = Array.from({ length: 20 }, async (_, caller) => {
    for (const signup of signups.slice(caller * 30, caller * 30 + 30)) await signUp(store, signup);
  });
  for (let cuts = 0; cuts < 50; cuts += 1) await cutConnections(raw);
  await Promise.all(callers);
  expect(await stored()).toEqual(signups.map(({ email }) => email).toSorted());
});

it('answers `unavailable` while the server is read-only, such as a standby', async () => {
  const { store, raw, stored } = await open();
  const [before, after] = [exampleSignup(), exampleSignup()];
  await store.createSignup(before);
  const setReadOnly = async (value: 'on' | 'off') => {
    await raw.unsafe(
      `ALTER DATABASE ${(await raw`SELECT current_database() AS name`)[0]?.name} SET default_transaction_read_only = ${value}`,
    );
  };
  await setReadOnly('on');
  await cutConnections(raw);
  await expect(store.createSignup(after)).rejects.toMatchObject(UNAVAILABLE);
  await expect(store.ping()).rejects.toMatchObject({
    ...UNAVAILABLE,
    message: expect.stringContaining('the database accepts no writes'),
  });
  await raw`SET default_transaction_read_only = off`;
  await setReadOnly('off');
  await cutConnections(raw);
  await signUp(store, after);
  expect(await stored()).toEqual([before.email, after.email].toSorted());
});

it('answers `unavailable` while the server has no connection left', async () => {
  const { store, raw, stored, database } = await open();
  await raw`SELECT 1`;
  const other = openRaw(database, 40);
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const holding = Array.from({ length: 40 }, () => other.begin(() => done));
  await Promise.race(holding.map((held) => held.catch(() => {})));
  const signup = exampleSignup();
  await expect(store.createSignup(signup)).rejects.toMatchObject(UNAVAILABLE);
  finish();
  await Promise.allSettled(holding);
  await other.end();
  await signUp(store, signup);
  expect(await stored()).toEqual([signup.email]);
});

it('is migrated once if ten processes start on an empty database', async () => {
  const { database, raw } = await open();
  const stores = await Promise.all(Array.from({ length: 9 }, () => open(database)));
  await Promise.all(stores.map(({ store }) => store.createSignup(exampleSignup())));
  expect([...(await raw`SELECT version FROM early_access.schema_steps`)]).toEqual([
    { version: 1 + LATER_STEPS.length },
  ]);
  expect([...(await raw`SELECT count(*)::int AS signups FROM early_access.email_signups`)]).toEqual([{ signups: 9 }]);
});

it('refuses the database of a newer program', async () => {
  const { database, store, raw } = await open();
  await store.createSignup(exampleSignup());
  await raw`UPDATE early_access.schema_steps SET version = 1000`;
  const newer = await open(database);
  await expect(newer.store.ping()).rejects.toMatchObject({
    ...UNAVAILABLE,
    cause: { message: expect.stringContaining('newer') },
  });
});

it('refuses a database from before version 1 of the schema, and does not change it', async () => {
  const { database, raw } = await open();
  await raw.unsafe(`
    CREATE SCHEMA early_access;
    CREATE TABLE early_access.schema_version (version integer NOT NULL);
    INSERT INTO early_access.schema_version VALUES (5);
  `);
  const { store } = await open(database);
  await expect(store.ping()).rejects.toMatchObject({
    ...UNAVAILABLE,
    cause: {
      message:
        'it was made by an earlier version: export the list with that version, start this one with a new DATABASE_URL, and import the list',
    },
  });
  const tables = await raw`SELECT tablename FROM pg_tables WHERE schemaname = 'early_access'`;
  expect([...tables]).toEqual([{ tablename: 'schema_version' }]);
});
