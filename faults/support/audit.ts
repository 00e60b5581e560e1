import { DatabaseSync } from 'node:sqlite';
import { INITIAL_TOTALS } from 'early-access-kit/core';
import { expect } from 'vitest';
import { readSessions, readSignups } from '../../packages/early-access-server/src/fixtures/read-back.ts';
import type { Ledger } from './ledger.ts';

/** Sums that are kept beside the visits, and the same ones counted anew. */
const KEPT_SUMS = `SELECT coalesce(sum(sessions), 0), coalesce(sum(bounces), 0), coalesce(sum(duration), 0),
  coalesce(sum(timed_sessions), 0), coalesce(sum(visitors), 0), (SELECT signups FROM signup_count) FROM session_hours`;
const COUNTED_SUMS = `SELECT count(*), coalesce(sum(is_bounce), 0), coalesce(sum(total_duration), 0),
  coalesce(sum(total_duration > 0), 0), (SELECT count(*) FROM visitors), (SELECT count(*) FROM email_signups) FROM sessions`;

/** Reads the file as it lies on the disk, whoever else has it open. */
export function readFile<T>(file: string, read: (raw: DatabaseSync) => T): T {
  const raw = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    return read(raw);
  } finally {
    raw.close();
  }
}

/** Holds the file against what visitors were told: everything promised is there, nothing is there twice, and the sums agree. */
export function expectPromisesKept(file: string, { asked, created, visits }: Ledger): void {
  readFile(file, (raw) => {
    raw.exec('BEGIN');
    expect(raw.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(raw.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    const signups = readSignups(raw);
    const kept = new Map(signups.map((signup) => [signup.email, signup]));
    expect(kept.size).toBe(signups.length);
    expect([...created].filter((email) => !kept.has(email))).toEqual([]);
    expect(signups.filter(({ email, submission_id }) => asked.get(email)?.submission_id !== submission_id)).toEqual([]);
    expect(Object.values(raw.prepare('SELECT count(*), count(DISTINCT message_key) FROM mails').get() ?? {})).toEqual([
      signups.length,
      signups.length,
    ]);

    const sessions = new Map(readSessions(raw).map((session) => [session.id, session]));
    const wrong = [...visits.values()].filter(({ start, said, acknowledged }) => {
      const session = sessions.get(start.id);
      if (session === undefined || session.visitor_id !== start.visitor_id) return true;
      const [least, most] = [acknowledged ?? INITIAL_TOTALS, said ?? INITIAL_TOTALS];
      return session.click_count < least.click_count || session.click_count > most.click_count;
    });
    expect(wrong).toEqual([]);
    expect(Object.values(raw.prepare(KEPT_SUMS).get() ?? {})).toEqual(
      Object.values(raw.prepare(COUNTED_SUMS).get() ?? {}),
    );
    raw.exec('COMMIT');
  });
}

/** Addresses whose mail is marked as being sent. */
export function beingSent(file: string): string[] {
  return readFile(file, (raw) =>
    raw
      .prepare("SELECT email FROM email_signups JOIN mails ON signup_id = id WHERE state = 'sending'")
      .all()
      .map(({ email }) => String(email)),
  );
}
