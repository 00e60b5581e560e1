import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it } from 'vitest';
import { readSessions, readSignups, readValue } from '../../fixtures/read-back.ts';
import { claimNext } from '../../fixtures/temp-store.ts';
import { LATER_STEPS, type Migration, migrate } from './schema.ts';
import { sqliteStore } from './sqlite-store.ts';

/** The number of steps that this program knows. */
const KNOWN = 1 + LATER_STEPS.length;

const ADDITIVE: Migration = {
  additive: true,
  sql: `ALTER TABLE email_signups ADD COLUMN note TEXT;
    ALTER TABLE sessions ADD COLUMN note TEXT;
    ALTER TABLE mails ADD COLUMN note TEXT;
    CREATE TABLE notes (note TEXT) STRICT;`,
};
const INDEX: Migration = { additive: true, sql: 'CREATE INDEX signups_by_time ON email_signups (created_at)' };
const BREAKING: Migration = { additive: false, sql: 'ALTER TABLE email_signups RENAME COLUMN source TO came_from' };

/** Migrates the file to the schema of a future release. */
function upgrade(file: string, ...steps: readonly Migration[]): void {
  const db = new DatabaseSync(file);
  migrate(db, [...LATER_STEPS, ...steps]);
  db.close();
}

function readVersion(file: string): unknown {
  const raw = new DatabaseSync(file, { readOnly: true });
  const version = readValue(raw, 'PRAGMA user_version');
  raw.close();
  return version;
}

it('makes each future step once, and lets a release that is rolled back or still running use the file after additive ones', async () => {
  const folder = tempFolder();
  const [fresh, file] = [join(folder, 'new.sqlite'), join(folder, 'grown.sqlite')];
  const store = sqliteStore({ file });
  expect(readVersion(file)).toBe(1_000 + KNOWN);
  const [first, second] = [signupOf(), signupOf()];
  await store.createSignup(first);
  upgrade(file, ADDITIVE);
  upgrade(fresh, ADDITIVE);
  expect([readVersion(file), readVersion(fresh)]).toEqual([1_001 + KNOWN, 1_001 + KNOWN]);

  // The release that does not know the step, while it still runs and when it starts again.
  expect(await store.createSignup(second)).toBe('created');
  store.close();
  const again = sqliteStore({ file });
  const session = sessionOf();
  await again.startSession(session);
  await again.updateSession(session.id, updateOf(session, { page_count: 2, total_duration: 7 }));
  const mail = await claimNext(again.mails);
  if (mail) await again.mails.recordOutcome(mail, { state: 'sent' });
  expect(await again.readSummary()).toMatchObject({ unique_visitors: 1, email_signups: 2 });
  expect([...again.signups()]).toMatchObject([first, second]);
  again.close();

  // The next release's columns and table are still there.
  expect(readVersion(file)).toBe(1_001 + KNOWN);
  upgrade(file, ADDITIVE);
  const raw = new DatabaseSync(file, { readOnly: true });
  expect(readSignups(raw)).toMatchObject([first, second]);
  expect(readSessions(raw)).toMatchObject([{ id: session.id, page_count: 2 }]);
  expect(readValue(raw, "SELECT count(*) FROM mails WHERE state = 'sent' AND note IS NULL")).toBe(1);
  raw.close();
  upgrade(file, ADDITIVE, BREAKING, INDEX);
  expect(readVersion(file)).toBe((2 + KNOWN) * 1_000 + 3 + KNOWN);
  expect(() => upgrade(file, ADDITIVE, BREAKING)).not.toThrow();
});

it('does not lock a file that needs no step', () => {
  const file = join(tempFolder(), 'locked.sqlite');
  upgrade(file);
  const [writer, db] = [new DatabaseSync(file), new DatabaseSync(file)];
  writer.exec('BEGIN IMMEDIATE');
  expect(() => migrate(db)).not.toThrow();
  for (const each of [db, writer]) each.close();
});

it.each([
  ['a breaking step', [BREAKING]],
  ['a breaking step between additive ones', [ADDITIVE, BREAKING, INDEX]],
])('does not open a file with %s, and does not change it', (_, steps) => {
  const file = join(tempFolder(), 'newer.sqlite');
  upgrade(file, ...steps);
  const before = readFileSync(file);
  expect(() => sqliteStore({ file })).toThrow(
    `it has schema version ${KNOWN + steps.length} and this program knows ${KNOWN}; use the newer program, or a backup from before it`,
  );
  expect(readFileSync(file)).toEqual(before);
});

it.each([1, 1_001, 17_017])(
  'does not open a file from before version 1, marked with %i, and does not change it',
  (version) => {
    const file = join(tempFolder(), 'earlier.sqlite');
    const earlier = new DatabaseSync(file);
    earlier.exec(`
    CREATE TABLE email_signups (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE) STRICT;
    INSERT INTO email_signups (email) VALUES ('ada@example.org');
    PRAGMA user_version = ${version};
  `);
    earlier.close();
    const before = readFileSync(file);
    expect(() => sqliteStore({ file })).toThrow(
      'it was made by an earlier version: export the list with that version, start this one with a new DATA_DIR, and import the list',
    );
    expect(readFileSync(file)).toEqual(before);
  },
);
