import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from './database.ts';
import { removeTraces } from './erase.ts';
import { sqliteStore } from './sqlite-store.ts';

const EMAIL = 'ada@example.org';

afterEach(() => vi.restoreAllMocks());

/** A store whose file holds the text in a page that is free, as a program without `secure_delete` leaves it. */
function storeWithTrace(file: string, trace = EMAIL) {
  sqliteStore({ file }).close();
  const raw = new DatabaseSync(file);
  raw.exec(
    `PRAGMA secure_delete = OFF; CREATE TABLE old (value); INSERT INTO old VALUES ('about ${trace}'); DROP TABLE old`,
  );
  raw.close();
  const store = sqliteStore({ file });
  onTestFinished(() => store.close());
  return store;
}

const readContent = (file: string) =>
  readFileSync(file).toString('latin1') + readFileSync(`${file}-wal`).toString('latin1');

it('erases an address also where another program has left it', async () => {
  const file = join(tempFolder(), 'traces.sqlite');
  const store = storeWithTrace(file);
  expect(readContent(file)).toContain(EMAIL);
  expect(await store.erase(EMAIL)).toEqual({ erased: null, traceless: true });
  expect(readContent(file)).not.toContain(EMAIL);
});

it('does not rewrite a file without traces', async () => {
  const file = join(tempFolder(), 'traces.sqlite');
  const store = storeWithTrace(file);
  await store.createSignup(signupOf({ email: 'bob@example.org' }));
  expect(await store.erase('bob@example.org')).toMatchObject({ erased: {}, traceless: true });
  expect(readContent(file)).toContain(EMAIL);
  expect(readContent(file)).not.toContain('bob@example.org');
});

it('erases the id of the session in which they signed up, also where another program has left it', async () => {
  const file = join(tempFolder(), 'traces.sqlite');
  const session = sessionOf();
  const store = storeWithTrace(file, session.id);
  await store.startSession(session);
  await store.createSignup(signupOf({ email: EMAIL, session_id: session.id }));
  expect(await store.erase(EMAIL)).toMatchObject({ erased: { session: true }, traceless: true });
  expect(readContent(file)).not.toContain(session.id);
});

it('leaves no value of an erased session in the file', async () => {
  const file = join(tempFolder(), 'erased.sqlite');
  const store = sqliteStore({ file });
  const raw = new DatabaseSync(file);
  onTestFinished(() => {
    raw.close();
    store.close();
  });
  const now = Date.now();
  const session = sessionOf({
    session_start: now,
    utm_campaign: 'only-for-ada',
    landing_path: '/invite/ada',
    referrer: 'https://ada.example/',
  });
  await store.startSession(session);
  await store.startSession(sessionOf({ session_start: now, referrer: 'https://ada.example/' }));
  await store.createSignup(signupOf({ email: EMAIL, session_id: session.id }));
  expect(await store.erase(EMAIL)).toMatchObject({ erased: {}, traceless: true });
  for (const table of ['analytics_values', 'touches', 'signup_search_content']) {
    const text = JSON.stringify(raw.prepare(`SELECT * FROM ${table}`).all());
    expect(text).not.toMatch(/only-for-ada|invite|ada@/);
  }
  expect(readFileSync(file).toString('latin1')).not.toMatch(/only-for-ada|invite\/ada|ada@example/);
  const query = { buckets: [now - 60_000], end: now + 60_000, previousStart: null, filter: {} };
  expect((await store.analytics.read(query)).breakdowns.referrer_host).toEqual([
    { value: 'ada.example', visitors: 1, signups: 0 },
  ]);
});

describe('removeTraces', () => {
  const BUSY = Object.assign(new Error('database is locked'), { errcode: 5 });
  const LONG = 'a-much-longer-text-that-is-not-there@example.org';

  /** A database of some megabytes with the address at that place of its file. */
  function createDatabase(offset: number) {
    const file = join(tempFolder(), 'large.sqlite');
    const db = openDatabase(file);
    db.exec(
      'CREATE TABLE large (value); INSERT INTO large VALUES (zeroblob(3000000)); PRAGMA wal_checkpoint(TRUNCATE)',
    );
    onTestFinished(() => db.close());
    const fd = openSync(file, 'r+');
    writeSync(fd, EMAIL, offset);
    closeSync(fd);
    return { file, db, rewritten: vi.spyOn(db, 'exec') };
  }

  // The file is read in pieces of a mebibyte.
  it.each([1_000_000, (1 << 20) - 1, (1 << 20) - EMAIL.length + 1, (1 << 21) - 5])(
    'finds a trace at byte %i',
    async (offset) => {
      const { db, file, rewritten } = createDatabase(offset);
      // The text may lie across two pages of the database, which damages it.
      rewritten.mockImplementation(() => {});
      expect(await removeTraces(db, file, [LONG, EMAIL, 'bob@x.io'])).toBe(true);
      expect(rewritten.mock.calls).toEqual([['VACUUM']]);
      rewritten.mockClear();
      expect(await removeTraces(db, file, [LONG, 'bob@x.io'])).toBe(true);
      expect(rewritten).not.toHaveBeenCalled();
    },
  );

  it('says that another process prevents rewriting, and fails for any other reason', async () => {
    const { db, file, rewritten } = createDatabase(1_000_000);
    const fail = (error: Error) =>
      rewritten.mockImplementationOnce(() => {
        throw error;
      });
    fail(BUSY);
    expect(await removeTraces(db, file, [EMAIL])).toBe(false);
    fail(new Error('disk is full'));
    await expect(removeTraces(db, file, [EMAIL])).rejects.toThrow('disk is full');
  });

  it('waits for a reader for five seconds, and leaves no connection behind', async () => {
    const { db, file } = createDatabase(1_000_000);
    const reader = new DatabaseSync(file);
    reader.exec('BEGIN; SELECT * FROM totals');
    db.exec('UPDATE totals SET signups = 7');
    const now = vi.spyOn(performance, 'now');
    now.mockReturnValueOnce(0).mockReturnValueOnce(5_000).mockReturnValueOnce(5_001);
    expect(await removeTraces(db, file, [EMAIL])).toBe(false);
    expect(now).toHaveBeenCalledTimes(3);

    setImmediate(() => reader.close());
    expect(await removeTraces(db, file, [EMAIL])).toBe(true);
    expect(db.prepare('PRAGMA journal_mode = DELETE').get()).toEqual({ journal_mode: 'delete' });
  });
});
