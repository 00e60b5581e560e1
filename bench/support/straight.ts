import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteStore } from 'early-access-server/sqlite';
import type { RequestKind } from './load.ts';

const SIGNUP =
  'INSERT INTO email_signups (email, source, submission_id, created_at, person_id, traffic_source_id) VALUES (?, ?, ?, ?, ?, 1)';
const MAIL = 'INSERT INTO mails (signup_id, message_key, next_attempt_at, changed_at) VALUES (?, ?, ?, ?)';
const SESSION = `
  INSERT INTO sessions (id, visitor_id, session_start, page_count, total_duration, referrer, user_agent, device_type, browser, os,
    is_returning_visitor, total_sessions, max_scroll_depth, click_count, is_bounce, traffic_source_id)
  VALUES (?, ?, ?, 1, 0, 'https://search.example/', 'Mozilla/5.0 (iPhone)', 'mobile', 'Safari', 'iOS', 0, 1, 0, 0, 1, 1)
`;
const UPDATE = 'UPDATE sessions SET session_end = ?, page_count = 2, total_duration = ?, is_bounce = 0 WHERE id = ?';

/**
 * Writes the same rows into the same tables with the same guarantees, but without a server: no HTTP, no validation.
 * Triggers compute the sums.
 */
export interface Straight {
  /** Returns the writes per second over `ms` milliseconds, with `batch` writes per commit. */
  perSecond(kind: RequestKind, batch: number, ms: number): number;
  close(): void;
}

export function openStraight(folder: string): Straight {
  const file = path.join(folder, 'straight.sqlite');
  // Creates the tables.
  sqliteStore({ file }).close();
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32000');
  const signup = db.prepare(SIGNUP);
  const mail = db.prepare(MAIL);
  const session = db.prepare(SESSION);
  const update = db.prepare(UPDATE);
  const sessions: string[] = [];
  const now = Date.now();

  const write: Record<RequestKind, (count: number) => void> = {
    signup(count) {
      const { lastInsertRowid } = signup.run(
        `${randomUUID()}@example.org`,
        'hero',
        randomUUID(),
        now + count,
        randomUUID(),
      );
      mail.run(lastInsertRowid, randomUUID(), now, now);
    },
    start(count) {
      const id = randomUUID();
      sessions.push(id);
      session.run(id, id.slice(0, 8), now + count);
    },
    update(count) {
      update.run(now + count, count, sessions[Math.floor(Math.random() * sessions.length)] ?? '');
    },
  };

  return {
    perSecond(kind, batch, ms) {
      const began = performance.now();
      let count = 0;
      while (performance.now() - began < ms) {
        db.exec('BEGIN IMMEDIATE');
        for (let member = 0; member < batch; member += 1) write[kind](count++);
        db.exec('COMMIT');
      }
      return (count / (performance.now() - began)) * 1_000;
    },
    close: () => db.close(),
  };
}
