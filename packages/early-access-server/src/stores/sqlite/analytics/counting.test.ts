import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../schema.ts';
import { countingProgress } from './analytics-store.ts';
import { counting } from './counting.ts';

let db: DatabaseSync;

beforeEach(() => {
  db = new DatabaseSync(':memory:');
  migrate(db);
});
afterEach(() => db.close());

/** Stores a session that is not counted, as an earlier release does. */
function addSession(id: string): void {
  db.prepare(`
    INSERT INTO sessions (id, visitor_id, session_start, page_count, total_duration, user_agent, device_type, browser, os,
      is_returning_visitor, total_sessions, max_scroll_depth, click_count, is_bounce)
    VALUES (?, 'visitor', 0, 1, 20, 'Mozilla/5.0', 'desktop', 'Firefox', 'Linux', 0, 1, 20, 0, 1)
  `).run(id);
}

/** Stores a signup, counted with `touchId`. */
function addSignup(name: string, sessionId: string | null = null, touchId: number | null = null): void {
  db.prepare(`
    INSERT INTO email_signups (email, source, submission_id, created_at, session_id, touch_id)
    VALUES (?, 'landing_page', ?, 0, ?, ?)
  `).run(`${name}@example.org`, `submission-${name}`, sessionId, touchId);
}

it('counts at most so many rows at a time, sessions first, and says how many and which share of the sessions', () => {
  for (const id of ['session-1', 'session-2', 'session-3', 'session-4']) addSession(id);
  for (const name of ['ada', 'bob', 'cleo']) addSignup(name);
  const progress = countingProgress(db);
  const { countSome } = counting(db);

  expect(progress()).toBe(0);
  expect([countSome(3), progress()]).toEqual([3, 0.75]);
  expect([countSome(3), progress()]).toEqual([3, 0.99]);
  expect([countSome(3), progress()]).toEqual([1, 1]);
  expect([countSome(3), progress()]).toEqual([0, 1]);
});

it('moves a signup that was counted before its session to where the session came from', () => {
  addSession('session-1');
  const { touchOf, countSome } = counting(db);
  addSignup('ada', 'session-1', touchOf({ session_id: 'session-1', referrer: 'https://a.example/' }, 0));
  const signups = () =>
    db.prepare('SELECT referrer_host FROM email_signups JOIN touches ON touches.id = touch_id').all();

  expect(signups()).toEqual([{ referrer_host: 'a.example' }]);
  countSome(1);
  expect(signups()).toEqual([{ referrer_host: '' }]);
});
