import { join } from 'node:path';
import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readValue } from '../../fixtures/read-back.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { openDatabase } from './database.ts';
import { sessionHours } from './session-hours.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 4, 1, 12);

function harness() {
  const clock = { now: NOON };
  const { store, raw } = tempStore({ clock: () => clock.now });
  return {
    clock,
    store,
    raw,
    lastSeen: (visitorId: string) =>
      raw.prepare('SELECT last_seen FROM visitors WHERE visitor_id = ?').get(visitorId)?.last_seen,
    /** Visitors per hour, without the empty hours. */
    visitorsOf: (time: number) =>
      readValue(raw, `SELECT coalesce(sum(visitors), 0) FROM session_hours WHERE hour = ${Math.floor(time / HOUR_MS)}`),
  };
}

describe('the sessions of one visitor', () => {
  it('update `last_seen` to the latest remaining one when one is erased', async () => {
    const { store, lastSeen, visitorsOf } = harness();
    const visitor_id = 'visitor-with-three';
    const starts = [NOON - 3 * HOUR_MS, NOON - 2 * HOUR_MS, NOON - HOUR_MS];
    const sessions = starts.map((session_start) => sessionOf({ visitor_id, session_start }));
    for (const session of sessions) await store.startSession(session);
    const [earliest = 0, middle = 0, latest = 0] = starts;
    const erase = async (index: number) => {
      const { email } = signupOf();
      await store.createSignup(signupOf({ email, session_id: sessions[index]?.id ?? null }));
      return store.erase(email);
    };
    expect(lastSeen(visitor_id)).toBe(latest);
    expect(await erase(2)).toMatchObject({ erased: { session: true } });
    expect(lastSeen(visitor_id)).toBe(middle);
    expect([visitorsOf(earliest), visitorsOf(middle), visitorsOf(latest)]).toEqual([0, 1, 0]);
    await erase(0);
    expect(lastSeen(visitor_id)).toBe(middle);
    await erase(1);
    expect(lastSeen(visitor_id)).toBeUndefined();
    expect(visitorsOf(middle)).toBe(0);
  });

  it('do not write the visitor again unless they start later', async () => {
    const { store, lastSeen, visitorsOf } = harness();
    const visitor_id = 'visitor-at-once';
    await store.startSession(sessionOf({ visitor_id, session_start: NOON }));
    await store.startSession(sessionOf({ visitor_id, session_start: NOON }));
    await store.startSession(sessionOf({ visitor_id, session_start: NOON - 1 }));
    expect(lastSeen(visitor_id)).toBe(NOON);
    expect(visitorsOf(NOON)).toBe(1);
    await store.startSession(sessionOf({ visitor_id, session_start: NOON + 1 }));
    expect(lastSeen(visitor_id)).toBe(NOON + 1);
  });
});

describe('the sums of an hour', () => {
  it('are written only when they change, and when only one of them does', () => {
    const db = openDatabase(join(tempFolder(), 'hours.sqlite'));
    onTestFinished(() => db.close());
    const { moveSession, moveVisitor } = sessionHours(db);
    const changes = () => readValue(db, 'SELECT total_changes()');
    const bounced = { total_duration: 5, is_bounce: true };
    moveSession(NOON, null, bounced);
    moveVisitor(null, NOON);
    const before = changes();
    moveSession(NOON, bounced, bounced);
    moveVisitor(NOON, NOON + HOUR_MS - 1);
    expect(changes()).toBe(before);
    moveSession(NOON, bounced, { ...bounced, is_bounce: false });
    moveSession(NOON, bounced, { ...bounced, total_duration: 7 });
    expect(db.prepare('SELECT * FROM session_hours').all()).toEqual([
      { hour: NOON / HOUR_MS, sessions: 1, bounces: 0, duration: 7, timed_sessions: 1, visitors: 1 },
    ]);
  });
});

describe('pruning', () => {
  it('removes the hash of an erased session after the retention, and not before', async () => {
    const { store, raw, clock } = harness();
    await store.createSignup(signupOf({ email: 'me@example.org', session_id: sessionOf().id }));
    await store.erase('me@example.org');
    const hashes = () => readValue(raw, 'SELECT count(*) FROM erased_sessions');
    expect([await store.prune(clock.now, 10), hashes()]).toEqual([0, 1]);
    expect([await store.prune(clock.now + 1, 10), hashes()]).toEqual([1, 0]);
  });
});
