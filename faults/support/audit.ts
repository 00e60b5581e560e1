import { DatabaseSync } from 'node:sqlite';
import { INITIAL_TOTALS } from 'early-access-kit/internal';
import { expect } from 'vitest';
import type { Ledger } from './ledger.ts';

/** The stored sums of the sessions, and the same sums computed from the sessions. */
const STORED_SUMS = `SELECT coalesce(sum(sessions), 0), coalesce(sum(bounces), 0), coalesce(sum(duration), 0),
  coalesce(sum(timed_sessions), 0), coalesce(sum(sessions - followed), 0), (SELECT signups FROM totals) FROM analytics_hours`;
const COUNTED_SUMS = `SELECT count(*), coalesce(sum(is_bounce), 0), coalesce(sum(total_duration), 0),
  coalesce(sum(total_duration > 0), 0), count(DISTINCT visitor_id), (SELECT count(*) FROM email_signups) FROM sessions`;

/** Reads the database file even if other processes have it open. */
export function readFile<T>(file: string, read: (raw: DatabaseSync) => T): T {
  const raw = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    return read(raw);
  } finally {
    raw.close();
  }
}

/**
 * Compares the file with the responses that visitors got: everything acknowledged is stored exactly once, and the sums
 * match.
 */
export function expectNothingLost(file: string, ledger: Ledger): void {
  readFile(file, (raw) => {
    raw.exec('BEGIN');
    expect(raw.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(raw.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    const signups = raw.prepare('SELECT email, submission_id FROM email_signups').all();
    expectSignups(ledger, signups);
    expect(Object.values(raw.prepare('SELECT count(*), count(DISTINCT message_key) FROM mails').get() ?? {})).toEqual([
      signups.length,
      signups.length,
    ]);

    expectSessions(ledger, raw.prepare('SELECT id, visitor_id, click_count FROM sessions').all());
    expect(Object.values(raw.prepare(STORED_SUMS).get() ?? {})).toEqual(
      Object.values(raw.prepare(COUNTED_SUMS).get() ?? {}),
    );
    raw.exec('COMMIT');
  });
}

type Row = Readonly<Record<string, unknown>>;

/** Expects that every acknowledged signup is stored exactly once, as requested. */
export function expectSignups({ requested, created }: Ledger, signups: readonly Row[]): void {
  const stored = new Set(signups.map(({ email }) => email));
  expect(stored.size).toBe(signups.length);
  expect([...created].filter((email) => !stored.has(email))).toEqual([]);
  expect(
    signups.filter(({ email, submission_id }) => requested.get(String(email))?.submission_id !== submission_id),
  ).toEqual([]);
}

/** Expects that every acknowledged session is stored, with totals between the acknowledged and the sent ones. */
export function expectSessions({ sessions }: Ledger, rows: readonly Row[]): void {
  const stored = new Map(rows.map((session) => [session.id, session]));
  const wrong = [...sessions.values()].filter(({ start, sent, acknowledged }) => {
    const session = stored.get(start.id);
    if (session === undefined || session.visitor_id !== start.visitor_id) return true;
    const clicks = Number(session.click_count);
    return clicks < (acknowledged ?? INITIAL_TOTALS).click_count || clicks > (sent ?? INITIAL_TOTALS).click_count;
  });
  expect(wrong).toEqual([]);
}

/** Returns the addresses whose message is marked as being sent. */
export function beingSent(file: string): string[] {
  return readFile(file, (raw) =>
    raw
      .prepare(
        "SELECT email FROM email_signups JOIN mails ON signup_id = email_signups.id WHERE mails.state = 'sending'",
      )
      .all()
      .map(({ email }) => String(email)),
  );
}
