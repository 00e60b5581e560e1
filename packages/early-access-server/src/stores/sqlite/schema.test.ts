import { readFileSync } from 'node:fs';
import path, { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it } from 'vitest';
import { EVERYONE } from '../../app/admin/people.ts';
import { isPersonId } from '../../app/list/person-id.ts';
import { readSessions, readSignups, readValue } from '../../fixtures/read-back.ts';
import { claimNext } from '../../fixtures/temp-store.ts';
import { MIGRATIONS, type Migration, migrate } from './schema.ts';
import { sqliteStore } from './sqlite-store.ts';

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
  migrate(db, [...MIGRATIONS, ...steps]);
  db.close();
}

function versionIn(file: string): unknown {
  const raw = new DatabaseSync(file, { readOnly: true });
  const version = readValue(raw, 'PRAGMA user_version');
  raw.close();
  return version;
}

describe('migrate', () => {
  it('gives a new file and one of the previous release the same version', () => {
    const folder = tempFolder();
    const [fresh, grown] = [join(folder, 'new.sqlite'), join(folder, 'old.sqlite')];
    upgrade(fresh, ADDITIVE);
    sqliteStore({ file: grown }).close();
    upgrade(grown, ADDITIVE);
    expect(versionIn(grown)).toBe(versionIn(fresh));
  });

  it('marks the file after each step with the oldest program that may still use it', () => {
    const versions = MIGRATIONS.map((_, index) => {
      const db = new DatabaseSync(':memory:');
      migrate(db, MIGRATIONS.slice(0, index + 1));
      return readValue(db, 'PRAGMA user_version');
    });
    expect(versions).toEqual([
      ...[1_001, 1_002, 1_003, 1_004, 1_005, 1_006, 1_007, 1_008],
      ...[9_009, 9_010, 9_011, 9_012, 9_013, 9_014],
      ...[15_015, 15_016, 17_017],
    ]);
  });

  it('does not lock a file that needs no step', () => {
    const file = join(tempFolder(), 'locked.sqlite');
    upgrade(file);
    const [writer, db] = [new DatabaseSync(file), new DatabaseSync(file)];
    writer.exec('BEGIN IMMEDIATE');
    expect(() => migrate(db)).not.toThrow();
    for (const each of [db, writer]) each.close();
  });

  it('runs each step once', () => {
    const file = join(tempFolder(), 'twice.sqlite');
    upgrade(file, ADDITIVE);
    expect(() => upgrade(file, ADDITIVE)).not.toThrow();
  });
});

describe('a release that is rolled back', () => {
  it('works on the file of the next release if its steps are additive', async () => {
    const file = join(tempFolder(), 'rolled-back.sqlite');
    upgrade(file, ADDITIVE);
    const next = versionIn(file);
    const store = sqliteStore({ file });
    const [signup, session] = [signupOf(), sessionOf()];
    expect(await store.createSignup(signup)).toBe('created');
    await store.startSession(session);
    await store.updateSession(session.id, updateOf(session, { page_count: 2, total_duration: 7 }));
    const mail = await claimNext(store.mails);
    if (mail) await store.mails.recordOutcome(mail, { state: 'sent' });
    expect(store.readSummary()).toMatchObject({ unique_visitors: 1, email_signups: 1 });
    expect([...store.signups()]).toMatchObject([signup]);
    store.close();

    // The next release's columns and table are still there.
    expect(versionIn(file)).toBe(next);
    upgrade(file, ADDITIVE);
    const raw = new DatabaseSync(file, { readOnly: true });
    expect(readSignups(raw)).toMatchObject([signup]);
    expect(readSessions(raw)).toMatchObject([{ id: session.id, page_count: 2 }]);
    expect(readValue(raw, "SELECT count(*) FROM mails WHERE state = 'sent' AND note IS NULL")).toBe(1);
    raw.close();
  });

  it('works on the file of the next release if its own newest step was a breaking one', () => {
    const db = new DatabaseSync(':memory:');
    migrate(db, [...MIGRATIONS, BREAKING, INDEX]);
    expect(() => migrate(db, [...MIGRATIONS, BREAKING])).not.toThrow();
    expect(() => migrate(db)).toThrow('use the newer program');
  });

  it('keeps working while the next release migrates the file', async () => {
    const file = join(tempFolder(), 'side-by-side.sqlite');
    const store = sqliteStore({ file });
    await store.createSignup(signupOf());
    upgrade(file, ADDITIVE);
    expect(await store.createSignup(signupOf())).toBe('created');
    expect(store.readSummary()).toMatchObject({ email_signups: 2 });
    store.close();
  });

  it.each([
    ['a breaking step', [BREAKING]],
    ['a breaking step between additive ones', [ADDITIVE, BREAKING, INDEX]],
  ])('refuses a file with %s and does not change it', (_, steps) => {
    const file = join(tempFolder(), 'refused.sqlite');
    upgrade(file, ...steps);
    const before = versionIn(file);
    expect(() => sqliteStore({ file })).toThrow(
      `it has schema version ${MIGRATIONS.length + steps.length} and this program knows ${MIGRATIONS.length}; use the newer program, or a backup from before it`,
    );
    expect(versionIn(file)).toBe(before);
  });
});

describe('a file of the first release', () => {
  it('returns its signups without attribution, and stores it for new ones', async () => {
    const file = join(tempFolder(), 'first.sqlite');
    const first = new DatabaseSync(file);
    migrate(first, MIGRATIONS.slice(0, 1));
    first.exec(`
      INSERT INTO email_signups (email, session_id, source, referrer, submission_id, created_at)
      VALUES ('ada@example.org', NULL, 'landing_page', NULL, 'submission-1', 1700000000000)
    `);
    first.close();
    const store = sqliteStore({ file });
    const signup = signupOf({ page_url: 'https://x.io/join', utm_term: 'prints' });
    await store.createSignup(signup);
    const { people } = await store.people.list({ ...EVERYONE, sort: 'oldest', limit: 5, after: null });
    expect(people.map(({ id }) => isPersonId(id))).toEqual([true, true]);
    expect([...store.signups()]).toStrictEqual([
      {
        email: 'ada@example.org',
        session_id: null,
        source: 'landing_page',
        referrer: null,
        submission_id: 'submission-1',
        created_at: 1_700_000_000_000,
      },
      { ...signup, created_at: expect.any(Number) },
    ]);
    store.close();
  });
});

describe('a file of the previous release', () => {
  const NOW = Date.UTC(2026, 2, 1, 14, 10);

  it('opens, and everything in it still works', async () => {
    const file = join(tempFolder(), 'previous.sqlite');
    const previous = new DatabaseSync(file);
    previous.exec(readFileSync(path.join(import.meta.dirname, '../../fixtures/previous-release.sql'), 'utf8'));
    const before = [readSignups(previous), readSessions(previous)];
    previous.close();

    const clock = { now: NOW };
    const store = sqliteStore({ file, clock: () => clock.now, mailsPerHour: 8 });
    const raw = new DatabaseSync(file, { readOnly: true });
    expect([readSignups(raw), readSessions(raw)]).toEqual(before);
    expect([...store.signups()]).toMatchObject([
      { email: 'sent@example.org', created_at: NOW - 599_000 },
      { email: 'queued@example.org', session_id: 'session-1', utm_source: 'news' },
      { email: 'sending@example.org', source: 'footer' },
      { email: 'crashed@example.org' },
      { email: 'retry@example.org' },
    ]);
    expect(store.readSummary()).toEqual({
      unique_visitors: 1,
      email_signups: 5,
      bounce_rate: 100,
      average_duration: 30,
    });

    // A form whose response was lost is sent again, and an open page sends an update.
    const [, queued] = store.signups();
    if (queued === undefined) throw new Error('a signup is missing');
    expect(await store.createSignup(queued)).toBe('created');
    expect(await store.createSignup({ ...queued, submission_id: 'submission-9' })).toBe('duplicate');
    const [session] = readSessions(raw);
    if (session === undefined) throw new Error('the session is missing');
    await store.updateSession('session-1', { ...session, page_count: 3, total_duration: 90 });
    expect(store.readSummary()).toEqual({ unique_visitors: 1, email_signups: 5, bounce_rate: 0, average_duration: 90 });

    // One of two leases has expired. Attempts before the migration count towards the quota of the hour.
    expect([await store.mails.expireLeases(), store.mails.isBeingSent('sending@example.org')]).toEqual([1, true]);
    const sent: string[] = [];
    for (let message = await claimNext(store.mails); message !== null; message = await claimNext(store.mails)) {
      sent.push(`${message.messageKey} ${message.attempts}`);
      await store.mails.recordOutcome(message, { state: 'sent' });
    }
    expect(sent).toEqual(['key-2 1']);
    clock.now = NOW + 120_000;
    expect(await claimNext(store.mails)).toMatchObject({
      email: 'retry@example.org',
      messageKey: 'key-5',
      attempts: 3,
    });
    const tokens = { link: null, unsubscribe: null };
    const kind = 'welcome';
    const late = {
      id: '3',
      kind,
      email: 'sending@example.org',
      fields: {},
      messageKey: 'key-3',
      attempts: 1,
      tokens,
      campaign: null,
      notice: null,
    } as const;
    await store.mails.recordOutcome({ ...late, claimToken: '1772374400000' }, { state: 'sent' });
    await store.createSignup(signupOf());
    expect(await claimNext(store.mails)).not.toBeNull();
    await store.createSignup(signupOf());
    expect(await store.mails.due().claimNext()).toBe('quota-spent');
    expect(await store.erase('queued@example.org')).toMatchObject({
      erased: { messageKeys: ['key-2'], sessionId: 'session-1', session: true },
      traceless: true,
    });
    expect(store.mails.counts()).toEqual(
      new Map([
        ['queued', 1],
        ['sending', 2],
        ['sent', 2],
        ['unknown', 1],
      ]),
    );
    raw.close();
    store.close();
  });
});

describe('a file of schema version 2', () => {
  /** A file of schema version 2 with these signups, in this order, and the states of their messages; null: none. */
  function earlierFile(...signups: readonly (readonly [email: string, state: string | null])[]): string {
    const file = join(tempFolder(), 'earlier.sqlite');
    const db = new DatabaseSync(file);
    migrate(db, MIGRATIONS.slice(0, 2));
    const insert = db.prepare(`
      INSERT INTO email_signups (email, session_id, source, referrer, submission_id, created_at)
      VALUES (?, NULL, 'landing_page', NULL, ?, ?)
    `);
    const queue = db.prepare(
      'INSERT INTO mails (signup_id, message_key, state, next_attempt_at, changed_at) VALUES (?, ?, ?, 1, 1)',
    );
    signups.forEach(([email, state], index) => {
      const { lastInsertRowid } = insert.run(email, `submission-${index}`, 1_700_000_000_000 + index);
      if (state !== null) queue.run(lastInsertRowid, `key-${index}`, state);
    });
    db.close();
    return file;
  }

  function contents(file: string): { emails: string[]; mails: unknown[] } {
    sqliteStore({ file }).close();
    const raw = new DatabaseSync(file, { readOnly: true });
    const mails = raw.prepare('SELECT message_key, state FROM mails ORDER BY signup_id').all();
    const emails = readSignups(raw).map(({ email }) => email);
    expect(readValue(raw, 'SELECT signups FROM signup_count')).toBe(emails.length);
    raw.close();
    return { emails, mails: mails.map(({ message_key, state }) => `${message_key} ${state}`) };
  }

  it('gets its addresses normalised', () => {
    const file = earlierFile(
      ['ada@b\u00fccher.example', 'sent'],
      ['bob@example.org.', 'queued'],
      ['eve@example.org', 'failed'],
    );
    expect(contents(file)).toEqual({
      emails: ['ada@xn--bcher-kva.example', 'bob@example.org', 'eve@example.org'],
      mails: ['key-0 sent', 'key-1 queued', 'key-2 failed'],
    });
  });

  it.each([
    ['queued', 'sent', 'key-1 sent'],
    ['sent', 'queued', 'key-0 sent'],
    ['failed', 'queued', 'key-1 queued'],
    ['queued', 'unknown', 'key-1 unknown'],
    ['sending', 'queued', 'key-0 sending'],
    ['queued', 'queued', 'key-0 queued'],
    [null, 'failed', 'key-1 failed'],
    ['failed', null, 'key-0 failed'],
  ])('merges two signups of one address into the older one, with messages %s and %s', (first, second, expectedMail) => {
    for (const pair of [
      ['bob@example.org', 'bob@example.org.'],
      ['bob@example.org.', 'bob@example.org'],
      ['bob@xn--bcher-kva.example', 'bob@b\u00fccher.example'],
      ['bob@b\u00fccher.example.', 'bob@b\u00fccher.example'],
    ] as const) {
      const file = earlierFile([pair[0], first], [pair[1], second], ['eve@example.org', 'sent']);
      const { emails, mails } = contents(file);
      expect(emails).toEqual([expect.stringMatching(/^bob@(example\.org|xn--bcher-kva\.example)$/), 'eve@example.org']);
      expect(mails).toEqual([expectedMail, 'key-2 sent']);
      const raw = new DatabaseSync(file, { readOnly: true });
      expect(readSignups(raw)[0]?.submission_id).toBe('submission-0');
      raw.close();
    }
  });
});
