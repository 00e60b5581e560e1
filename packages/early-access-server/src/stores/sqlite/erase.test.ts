import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hashToken } from '../../app/access/secrets.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { openDatabase } from './database.ts';
import { traceRemoval } from './erase.ts';
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

it('changes no page without traces', async () => {
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
  await store.updateSession(session.id, updateOf(session, { page_count: 2, page_path: '/invite/ada/2' }));
  await store.startSession(sessionOf({ session_start: now, referrer: 'https://ada.example/' }));
  await store.createSignup(signupOf({ email: EMAIL, session_id: session.id }));
  expect(await store.erase(EMAIL)).toMatchObject({ erased: {}, traceless: true });
  for (const table of ['analytics_values', 'analytics_pages', 'traffic_sources', 'signup_search_content']) {
    const text = JSON.stringify(raw.prepare(`SELECT * FROM ${table}`).all());
    expect(text).not.toMatch(/only-for-ada|invite|ada@/);
  }
  expect(readFileSync(file).toString('latin1')).not.toMatch(/only-for-ada|invite\/ada|ada@example/);
  const query = { buckets: [now - 60_000], end: now + 60_000, previousStart: null, filter: {} };
  expect((await store.analytics.read(query)).breakdowns.referrer_host).toEqual([
    { value: 'ada.example', visitors: 1, signups: 0, joined: 0 },
  ]);
});

it('removes what SQLite has left of any of many people, and nothing else', async () => {
  const file = join(tempFolder(), 'many.sqlite');
  const store = sqliteStore({ file });
  onTestFinished(() => store.close());
  // Splitting the pages of the indexes leaves copies behind.
  const emails = Array.from({ length: 1_000 }, (_, index) => `person-${(index * 7_919) % 1_009}@example.org`);
  await Promise.all(emails.map((email) => store.createSignup(signupOf({ email }))));
  const [erased, others] = [emails.slice(0, 100), emails.slice(100)];
  const erasures = await Promise.all(erased.map((email) => store.erase(email)));
  expect(erasures.filter(({ erased, traceless }) => erased !== null && traceless)).toHaveLength(100);
  const content = readContent(file);
  expect(erased.filter((email) => content.includes(email))).toEqual([]);
  expect([...store.signups()].map(({ email }) => email)).toEqual(others);
  const raw = new DatabaseSync(file);
  expect(raw.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  raw.close();
});

it('leaves the address of another person alone that contains the erased one', async () => {
  const { store, raw } = tempStore();
  const other = `l${EMAIL}`;
  for (const email of [EMAIL, other]) await store.createSignup(signupOf({ email }));
  expect(await store.erase(EMAIL)).toMatchObject({ erased: {}, traceless: true });
  expect([...store.signups()].map(({ email }) => email)).toEqual([other]);
  expect(raw.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
});

// POSIX releases the locks of a process on a file when the process closes any descriptor of it. Without SQLite's lock,
// a program with an older SQLite that closes the database deletes the WAL, and with it what the store writes
// afterwards.
it.runIf(existsSync('/proc/locks'))('holds its lock on the file while it searches and afterwards', async () => {
  const { store, file } = tempStore();
  const inode = `:${statSync(file).ino} `;
  const isLocked = () => readFileSync('/proc/locks', 'latin1').includes(inode);
  for (const email of [EMAIL, 'bob@example.org', 'bob@x.io']) {
    expect(isLocked()).toBe(true);
    await store.erase(email);
  }
  expect(isLocked()).toBe(true);
});

describe('traceRemoval', () => {
  const BUSY = Object.assign(new Error('database is locked'), { errcode: 5 });
  const LONG = 'a-much-longer-text-that-is-not-there@example.org';

  /** A database of some megabytes with the address at that place of its file, which lies in free pages. */
  function createDatabase(offset: number) {
    const file = join(tempFolder(), 'large.sqlite');
    const db = openDatabase(file);
    db.exec(`
      CREATE TABLE large (value); INSERT INTO large VALUES (zeroblob(3000000)); DROP TABLE large;
      PRAGMA wal_checkpoint(TRUNCATE)
    `);
    const removal = traceRemoval(file);
    onTestFinished(() => {
      db.close();
      removal.close();
    });
    const fd = openSync(file, 'r+');
    writeSync(fd, EMAIL, offset);
    closeSync(fd);
    return { file, db, removal };
  }

  // The file is read in pieces of a quarter of a mebibyte, and its pages have four kibibytes.
  it.each([1_000_000, (1 << 20) - 1, (1 << 20) - EMAIL.length + 1, (1 << 21) - 5, (1 << 21) + 1])(
    'removes a trace at byte %i',
    async (offset) => {
      const { db, file, removal } = createDatabase(offset);
      expect(readContent(file)).toContain(EMAIL);
      expect(await removal.remove([LONG, 'bob@x.io'])).toBe(true);
      expect(readContent(file)).toContain(EMAIL);
      expect(await removal.remove([LONG, EMAIL, 'bob@x.io'])).toBe(true);
      expect(readContent(file)).not.toContain(EMAIL);
      expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    },
  );

  it('brings no trace back from the pages that a connection has in its cache', async () => {
    const { db, file, removal } = createDatabase(1_000_000);
    db.exec(`
      PRAGMA secure_delete = OFF;
      CREATE TABLE notes (value); INSERT INTO notes VALUES ('first'), ('about ${EMAIL}'), ('last');
      DELETE FROM notes WHERE value LIKE 'about%'
    `);
    expect(await removal.remove([EMAIL])).toBe(true);
    db.exec("UPDATE notes SET value = 'FIRST' WHERE value = 'first'; PRAGMA wal_checkpoint(PASSIVE)");
    expect(readContent(file)).not.toContain(EMAIL);
    expect(db.prepare('SELECT value FROM notes').all()).toEqual([{ value: 'FIRST' }, { value: 'last' }]);
  });

  it('says that another process prevents it, and fails for any other reason', async () => {
    const { removal } = createDatabase(1_000_000);
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
    const fail = (error: Error) =>
      exec.mockImplementationOnce(() => {
        throw error;
      });
    const now = vi.spyOn(performance, 'now');
    now.mockReturnValueOnce(0).mockReturnValueOnce(5_001);
    fail(BUSY);
    expect(await removal.remove([EMAIL])).toBe(false);
    fail(new Error('disk is full'));
    await expect(removal.remove([EMAIL])).rejects.toThrow('disk is full');
    expect(await removal.remove([EMAIL])).toBe(true);
  });

  it('waits for a reader for five seconds, and leaves no connection behind', async () => {
    const { db, file, removal } = createDatabase(1_000_000);
    const reader = new DatabaseSync(file);
    reader.exec('BEGIN; SELECT * FROM totals');
    db.exec('UPDATE totals SET signups = 7');
    const now = vi.spyOn(performance, 'now');
    now.mockReturnValueOnce(0).mockReturnValueOnce(5_000).mockReturnValueOnce(5_001);
    expect(await removal.remove([EMAIL])).toBe(false);
    expect(now).toHaveBeenCalledTimes(3);

    setImmediate(() => reader.close());
    expect(await removal.remove([EMAIL])).toBe(true);
    expect(db.prepare('PRAGMA journal_mode = DELETE').get()).toEqual({ journal_mode: 'delete' });
  });

  it('searches the file once for all who are erased during a search', async () => {
    const { removal } = createDatabase(1_000_000);
    const connections = vi.spyOn(DatabaseSync.prototype, 'close');
    const first = removal.remove([EMAIL]);
    await Promise.resolve();
    const others = Array.from({ length: 20 }, (_, index) => removal.remove([`person-${index}@x.io`]));
    expect(new Set(others).size).toBe(1);
    expect(await Promise.all([first, ...others])).toEqual(Array.from({ length: 21 }, () => true));
    expect(connections).toHaveBeenCalledTimes(2);
  });
});

it('leaves no address of a correction in the file, neither an open one nor the one before it held', async () => {
  const file = join(tempFolder(), 'corrected.sqlite');
  const store = sqliteStore({ file, mailsPerHour: 1_000 });
  onTestFinished(() => store.close());
  for (let index = 0; index < 200; index += 1) await store.createSignup(signupOf());
  await store.createSignup(signupOf({ email: 'ada@exmaple.org' }));
  const { id = '' } = (await store.people.listed(['ada@exmaple.org'])).get('ada@exmaple.org') ?? {};
  await store.list.correctAddress(id, EMAIL);
  const due = store.mails.due();
  for (;;) {
    const message = await due.claimNext();
    if (typeof message === 'string') throw new Error(message);
    if (message.kind !== 'correction') continue;
    expect(await store.list.confirm(hashToken(message.tokens.link ?? ''), null)).toBe('confirmed');
    break;
  }
  await store.list.correctAddress(id, 'ada@elsewhere.example');
  expect(readContent(file)).toContain('ada@elsewhere.example');
  expect(await store.erase(EMAIL)).toMatchObject({ erased: {}, traceless: true });
  for (const address of ['ada@exmaple.org', EMAIL, 'ada@elsewhere.example']) {
    expect(readContent(file)).not.toContain(address);
  }
});
