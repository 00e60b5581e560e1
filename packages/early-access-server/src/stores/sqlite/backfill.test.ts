import { readFileSync } from 'node:fs';
import path, { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { NO_TALLIES } from '../../app/analytics/analytics.ts';
import { analyticsOf } from '../../app/analytics/analytics-of.ts';
import { readSessions, readSignups, readValue } from '../../fixtures/read-back.ts';
import { startBackfill } from './backfill.ts';
import { MIGRATIONS, migrate } from './schema.ts';
import { sqliteStore } from './sqlite-store.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 2, 1, 14, 10);
const QUERY = { buckets: [NOW - 40 * DAY_MS, NOW - 10 * DAY_MS], end: NOW + DAY_MS, previousStart: null, filter: {} };
/** The release before the dashboard. */
const BEFORE = MIGRATIONS.slice(
  0,
  MIGRATIONS.findIndex(({ sql }) => sql.includes('CREATE TABLE analytics_days')),
);

/** A file of the release before with so many sessions, signups and search entries to count. */
function earlierFile(rows: number): string {
  const file = join(tempFolder(), 'earlier.sqlite');
  const db = new DatabaseSync(file);
  migrate(db, BEFORE);
  addRows(db, 0, rows);
  db.close();
  return file;
}

/** Stores rows as the release before does: without what it does not know. */
function addRows(db: DatabaseSync, from: number, to: number): void {
  const session = db.prepare(`
    INSERT INTO sessions (id, visitor_id, session_start, page_count, total_duration, referrer, user_agent, device_type, browser, os,
      is_returning_visitor, total_sessions, max_scroll_depth, click_count, is_bounce)
    VALUES (?, ?, ?, 1, ?, 'https://a.example/', 'Mozilla/5.0', 'desktop', 'Firefox', 'Linux', 0, 1, 20, 0, 1)
  `);
  const signup = db.prepare(`
    INSERT INTO email_signups (email, session_id, source, referrer, submission_id, created_at)
    VALUES (?, ?, 'landing_page', 'https://b.example/', ?, ?)
  `);
  for (let row = from; row < to; row += 1) {
    session.run(`session-${row}`, `visitor-${row % 50}`, NOW - (row % 30) * DAY_MS - row, row % 20);
    signup.run(`person-${row}@example.org`, row % 2 === 0 ? `session-${row}` : null, `submission-${row}`, NOW - row);
  }
}

function open(file: string) {
  const store = sqliteStore({ file, clock: () => NOW });
  const raw = new DatabaseSync(file);
  onTestFinished(() => {
    raw.close();
    store.close();
  });
  const expected = () =>
    analyticsOf({ sessions: readSessions(raw), signups: readSignups(raw), tallies: NO_TALLIES }, QUERY, NOW);
  return { store, raw, expected };
}

/** Until the end of the test, timers only fire when it advances the time. */
function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

const isSearchable = (raw: DatabaseSync) => readValue(raw, 'SELECT count(*) FROM unsearched_signups') === 0;

it('counts an older file in steps while sessions and signups arrive, and goes on after a stop', async () => {
  const file = earlierFile(700);
  const first = open(file);
  expect(first.store.analytics.progress()).toBe(0);
  await vi.waitFor(() => expect(first.store.analytics.progress()).toBeGreaterThan(0));
  const stoppedAt = first.store.analytics.progress();
  first.store.close();
  const { store, raw, expected } = open(file);
  expect(store.analytics.progress()).toBeGreaterThanOrEqual(stoppedAt);
  const session = sessionOf({ id: 'session-1', visitor_id: 'visitor-1', session_start: NOW });
  await store.updateSession('session-1', updateOf(session, { page_count: 3, total_duration: 60 }));
  await store.startSession(sessionOf({ visitor_id: 'visitor-2', session_start: NOW }));
  await store.createSignup(signupOf({ session_id: 'session-3' }));
  await store.erase('person-690@example.org');
  await vi.waitFor(() => expect([store.analytics.progress(), isSearchable(raw)]).toEqual([1, true]), 5_000);
  expect(store.analytics.read(QUERY)).toEqual(expected());
  const search = { search: 'son-65', state: null, mail: null, source: null, from: null, to: null };
  expect(await store.people.count(search)).toBe(11);
  expect(await store.people.count({ ...search, search: 'person-690' })).toBe(0);
});

it('keeps the figures right while the release before writes to the same file, and counts its rows', async () => {
  fakeTimers();
  const { store, raw, expected } = open(earlierFile(20));
  await vi.advanceTimersByTimeAsync(100);
  await vi.waitFor(() => expect(store.analytics.progress()).toBe(1));
  raw.exec(
    "UPDATE sessions SET total_duration = 90, page_count = 2, is_bounce = 0, max_scroll_depth = 60 WHERE id = 'session-4'",
  );
  raw.exec("DELETE FROM sessions WHERE id = 'session-5'");
  raw.exec("DELETE FROM email_signups WHERE email = 'person-7@example.org'");
  expect(store.analytics.read(QUERY)).toEqual(expected());
  addRows(raw, 100, 110);
  raw.exec("DELETE FROM sessions WHERE id = 'session-6'");
  expect(store.analytics.progress()).toBeLessThan(1);
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.waitFor(() => expect(store.analytics.progress()).toBe(1));
  expect(store.analytics.read(QUERY)).toEqual(expected());
});

it('counts a file that the previous release wrote', async () => {
  const file = join(tempFolder(), 'previous.sqlite');
  const previous = new DatabaseSync(file);
  previous.exec(readFileSync(path.join(import.meta.dirname, '../../fixtures/previous-release.sql'), 'utf8'));
  previous.close();
  const { store, raw, expected } = open(file);
  await vi.waitFor(() => expect([store.analytics.progress(), isSearchable(raw)]).toEqual([1, true]));
  const read = store.analytics.read(QUERY);
  expect(read).toEqual(expected());
  expect(read.figures).toMatchObject({ sessions: 1, visitors: 1, signups: 5 });
});

it('commits nothing without work, because a commit tells whether the database is healthy', async () => {
  fakeTimers();
  open(join(tempFolder(), 'idle.sqlite'));
  const begun = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => void begun.mockRestore());
  await vi.advanceTimersByTimeAsync(60_000);
  await new Promise(setImmediate);
  expect(begun).not.toHaveBeenCalled();
});

it('ends when the store is closed', async () => {
  fakeTimers();
  const log = vi.fn();
  sqliteStore({ file: join(tempFolder(), 'closed.sqlite'), log }).close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log).not.toHaveBeenCalled();
});

it('leaves no value of an erased session in the file', async () => {
  const file = join(tempFolder(), 'erased.sqlite');
  const { store, raw } = open(file);
  const session = sessionOf({
    session_start: NOW,
    utm_campaign: 'only-for-ada',
    landing_path: '/invite/ada',
    referrer: 'https://ada.example/',
  });
  await store.startSession(session);
  await store.startSession(sessionOf({ session_start: NOW, referrer: 'https://ada.example/' }));
  await store.createSignup(signupOf({ email: 'ada@example.org', session_id: session.id }));
  expect(await store.erase('ada@example.org')).toMatchObject({ traceless: true });
  for (const table of ['analytics_values', 'touches', 'signup_search_content']) {
    const text = JSON.stringify(raw.prepare(`SELECT * FROM ${table}`).all());
    expect(text).not.toMatch(/only-for-ada|invite|ada@/);
  }
  expect(readFileSync(file).toString('latin1')).not.toMatch(/only-for-ada|invite\/ada|ada@example/);
  expect(store.analytics.read(QUERY).breakdowns.referrer_host).toEqual([
    { value: 'ada.example', visitors: 1, signups: 0 },
  ]);
});

describe('startBackfill', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  /** A backfill that counts so many rows in each step, or fails. */
  function harness(steps: readonly (number | Error)[], addresses: readonly number[] = []) {
    const [left, found, log] = [[...steps], [...addresses], vi.fn()];
    const countSome = vi.fn(async (_limit: number) => {
      const step = left.shift() ?? 0;
      if (step instanceof Error) throw step;
      return step;
    });
    const addToSearch = vi.fn(async (_limit: number) => found.shift() ?? 0);
    const stop = startBackfill({ countSome, addToSearch, log });
    onTestFinished(stop);
    return { countSome, addToSearch, log, stop };
  }

  it('makes a step of 250 rows every 20 ms, says when it begins and ends, and looks again after a minute', async () => {
    const { countSome, log } = harness([250, 250, 7]);
    await later(0);
    expect(countSome).toHaveBeenCalledExactlyOnceWith(250);
    expect(log.mock.calls).toEqual([['info', 'analytics-counting', {}]]);
    await later(19);
    expect(countSome).toHaveBeenCalledTimes(1);
    await later(1);
    await later(40);
    expect(countSome).toHaveBeenCalledTimes(4);
    expect(log.mock.calls.slice(1)).toEqual([['info', 'analytics-counted', { rows: 507 }]]);
    await later(59_999);
    expect(countSome).toHaveBeenCalledTimes(4);
    await later(1);
    expect(countSome).toHaveBeenCalledTimes(5);
    expect(log).toHaveBeenCalledTimes(2);
  });

  it('says nothing of the few rows that an earlier release adds', async () => {
    const { log } = harness([249, 0, 249, 0]);
    await later(0);
    await later(20);
    await later(60_020);
    expect(log).not.toHaveBeenCalled();
  });

  it('says so of as many rows as one step counts', async () => {
    const { log } = harness([250, 0]);
    await later(0);
    await later(20);
    expect(log.mock.calls.map(([, event]) => event)).toEqual(['analytics-counting', 'analytics-counted']);
  });

  it('adds addresses to the index of searches once all rows are counted', async () => {
    const { addToSearch } = harness([5, 0, 0], [250, 3]);
    await later(0);
    expect(addToSearch).not.toHaveBeenCalled();
    await later(20);
    expect(addToSearch).toHaveBeenCalledExactlyOnceWith(250);
    await later(20);
    await later(20);
    expect(addToSearch).toHaveBeenCalledTimes(3);
    await later(59_999);
    expect(addToSearch).toHaveBeenCalledTimes(3);
  });

  it('says why a step failed, and begins anew after a minute', async () => {
    const { countSome, log } = harness([250, new Error('disk full'), 7, 0]);
    await later(0);
    await later(20);
    expect(log).toHaveBeenLastCalledWith('warn', 'backfill-failed', { reason: 'disk full' });
    await later(59_999);
    expect(countSome).toHaveBeenCalledTimes(2);
    await later(1);
    await later(20);
    expect(countSome).toHaveBeenCalledTimes(4);
    expect(log).toHaveBeenCalledTimes(2);
  });

  it('stops, also during a step', async () => {
    const waiting = harness([250]);
    waiting.stop();
    expect(vi.getTimerCount()).toBe(0);
    const step = Promise.withResolvers<number>();
    const stop = startBackfill({ countSome: () => step.promise, addToSearch: async () => 0, log: vi.fn() });
    await later(0);
    stop();
    step.resolve(250);
    await later(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
