import { type PostgresServer, startPostgres } from '@early-access-kit/testkit/postgres-server';
import type { EmailSignup, StoredSignup } from 'early-access-kit/core';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { exampleSignup } from '../../testing/examples.ts';
import { postgresStore } from './postgres-store.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres({ settings: { max_connections: '30' } });
});
afterAll(() => server.close());

const UNAVAILABLE = { name: 'StorageError', code: 'unavailable', retryAfter: 1 };

async function open(url?: string) {
  const database = url ?? (await server.createDatabase());
  const store = postgresStore({ url: database });
  const raw = postgres(database, { max: 1, onnotice: () => {} });
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

it('answers `unavailable` while the server is away, and goes on once it is back', async () => {
  const { store, stored } = await open();
  const [before, after] = [exampleSignup(), exampleSignup()];
  await store.createSignup(before);
  await server.stop();
  await expect(store.createSignup(after)).rejects.toMatchObject(UNAVAILABLE);
  await expect(store.ping()).rejects.toMatchObject(UNAVAILABLE);
  await server.start();
  await signUp(store, after);
  await store.ping();
  expect(await stored()).toEqual([before.email, after.email].toSorted());
});

it('loses no accepted signup when all connections are cut again and again, as in a failover', async () => {
  const { store, raw, stored } = await open();
  const signups = Array.from({ length: 600 }, () => exampleSignup());
  let isDone = false;
  const cutting = (async () => {
    while (!isDone) {
      await raw`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'early-access-server'
      `;
    }
  })();
  const callers = Array.from({ length: 20 }, async (_, caller) => {
    for (const signup of signups.slice(caller * 30, caller * 30 + 30)) await signUp(store, signup);
  });
  // Cutting without a pause would let no transaction through, so it ends once half of the signups were tried.
  await Promise.all(callers.slice(0, 0));
  const half = Promise.race(callers);
  await Promise.race([half, new Promise((resolve) => setTimeout(resolve, 2_000))]);
  isDone = true;
  await cutting;
  await Promise.all(callers);
  expect(await stored()).toEqual(signups.map(({ email }) => email).toSorted());
});

it('answers `unavailable` while the server is read-only, such as a standby', async () => {
  const { store, raw, stored } = await open();
  const [before, after] = [exampleSignup(), exampleSignup()];
  await store.createSignup(before);
  const setReadOnly = async (value: 'on' | 'off') => {
    await raw.unsafe(`ALTER DATABASE ${(await raw`SELECT current_database() AS name`)[0]?.name} SET default_transaction_read_only = ${value}`);
  };
  await setReadOnly('on');
  await raw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'early-access-server'
  `;
  await expect(store.createSignup(after)).rejects.toMatchObject(UNAVAILABLE);
  await expect(store.ping()).rejects.toMatchObject(UNAVAILABLE);
  await raw`SET default_transaction_read_only = off`;
  await setReadOnly('off');
  await raw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'early-access-server'
  `;
  await signUp(store, after);
  expect(await stored()).toEqual([before.email, after.email].toSorted());
});

it('answers `unavailable` while the server has no connection left', async () => {
  const { store, raw, stored, database } = await open();
  await raw`SELECT 1`;
  const hog = postgres(database, { max: 40, onnotice: () => {} });
  const holding = await Promise.allSettled(Array.from({ length: 40 }, () => hog.reserve()));
  const signup = exampleSignup();
  await expect(store.createSignup(signup)).rejects.toMatchObject(UNAVAILABLE);
  for (const held of holding) if (held.status === 'fulfilled') held.value.release();
  await hog.end();
  await signUp(store, signup);
  expect(await stored()).toEqual([signup.email]);
});

it('is migrated once if ten processes start on an empty database', async () => {
  const { database, raw } = await open();
  const stores = await Promise.all(Array.from({ length: 9 }, () => open(database)));
  await Promise.all(stores.map(({ store }) => store.createSignup(exampleSignup())));
  expect(await raw`SELECT version FROM early_access.schema_version`).toEqual([{ version: 1 }]);
  expect(await raw`SELECT count(*)::int AS signups FROM early_access.email_signups`).toEqual([{ signups: 9 }]);
});

it('refuses the database of a newer program', async () => {
  const { store, raw } = await open();
  await store.createSignup(exampleSignup());
  await raw`UPDATE early_access.schema_version SET version = 1000`;
  const newer = await open((await raw`SELECT current_database() AS name`)[0]?.name);
  await expect(newer.store.ping()).rejects.toMatchObject({ ...UNAVAILABLE, cause: { message: expect.stringContaining('newer') } });
});
