import { fc } from '@early-access-kit/testkit/fast-check';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { CLOCK_TOLERANCE_MS, DAY_MS, HOUR_MS, type SessionStart } from 'early-access-kit/internal';
import { computeAnalytics, NO_TALLIES } from 'early-access-server/fixtures';
import type { Analytics, AnalyticsQuery } from 'early-access-server/internal';
import { Query } from 'firebase-admin/firestore';
import { describe, expect, it, vi } from 'vitest';
import { firestoreOfFile } from '../../fixtures/firestore.ts';
import { type FirestoreStore, firestoreStore } from '../firestore-store.ts';
import { LIVE_READS, type LiveReads } from './analytics.ts';
import { UNKNOWN, unpack } from './rows.ts';
import { talliesRef } from './tallies.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);
/** Reads only the newest session live, so everything else must be in the archive. */
const HARDLY_LIVE: LiveReads = { sessions: 1, moreSessions: 0, signups: 1, left: 50 };
const ROLL_UP = { withinMs: 60_000 };

const database = await firestoreOfFile(NOW);
const { clock } = database;

function open(liveReads: LiveReads = LIVE_READS): FirestoreStore {
  return firestoreStore({ firestore: database.firestore, clock: () => clock.now, liveReads });
}

async function readViews(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { docs } = await database.firestore.collection('sessions').get();
  return new Map(docs.map((session) => [session.id, Object.values<string>(session.get('page_views') ?? {})]));
}

/** Computes the expected figures from the documents. */
async function expected(query: AnalyticsQuery): Promise<Analytics> {
  const [sessions, signups] = [await database.readSessions(), await database.readSignups()];
  const byTime = <T>(rows: T[], readTime: (row: T) => number) => rows.sort((a, b) => readTime(a) - readTime(b));
  const rows = {
    sessions: byTime(sessions, ({ session_start }) => session_start),
    signups: byTime(signups, ({ created_at }) => created_at),
    views: await readViews(),
    tallies: null,
  };
  return computeAnalytics(rows, query, clock.now);
}

const passing = fc.oneof(
  fc.constantFrom(1, HOUR_MS - 1, HOUR_MS, DAY_MS, 2 * DAY_MS, 26 * HOUR_MS),
  fc.nat(3 * HOUR_MS),
);
const SESSIONS = 6;
const sessionIndex = fc.nat(SESSIONS - 1);
const step = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), ms: passing }),
  fc.record({ kind: fc.constant('roll up' as const) }),
  fc.record({
    kind: fc.constant('start' as const),
    sessionIndex,
    visitor: fc.constantFrom('0000abcd', 'ffffffff', 'visitor-of-another-tracker'),
    lag: fc.integer({ min: -CLOCK_TOLERANCE_MS, max: CLOCK_TOLERANCE_MS }),
    browser: fc.constantFrom('Firefox' as const, 'Chrome' as const),
    referrer: fc.constantFrom(null, 'https://www.news.example/a', 'https://news.example/b'),
  }),
  fc.record({
    kind: fc.constant('update' as const),
    sessionIndex,
    page_count: fc.integer({ min: 1, max: 12 }),
    page_path: fc.constantFrom('/', '/prices'),
    session_end: fc.constant(null),
    total_duration: fc.nat(100),
    max_scroll_depth: fc.nat(100),
  }),
  fc.record({ kind: fc.constant('signup' as const), sessionIndex }),
  fc.record({ kind: fc.constant('erase' as const), sessionIndex }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
/** Steps that change no session that a roll-up may have read. */
const lastingStep = step
  .filter(({ kind }) => kind !== 'update')
  .map((one) => (one.kind === 'start' ? { ...one, lag: 0 } : one));

async function take(store: FirestoreStore, sessions: Map<number, SessionStart>, step: Step): Promise<void> {
  if (step.kind === 'wait') clock.now += step.ms;
  if (step.kind === 'roll up') await store.analytics.rollUp(ROLL_UP);
  if (!('sessionIndex' in step)) return;
  const session = sessions.get(step.sessionIndex);
  const email = `artist-${step.sessionIndex}@example.org`;
  if (step.kind === 'start' && session === undefined) {
    const { visitor, lag, browser, referrer } = step;
    const start = sessionOf({ visitor_id: visitor, session_start: clock.now + lag, browser, referrer });
    sessions.set(step.sessionIndex, start);
    await store.startSession(start);
  }
  if (step.kind === 'update' && session !== undefined) await store.updateSession(session.id, updateOf(session, step));
  if (step.kind === 'signup') await store.createSignup(signupOf({ email, session_id: session?.id ?? null }));
  if (step.kind === 'erase') await store.erase(email);
}

const query = fc
  .record({
    days: fc.integer({ min: 1, max: 9 }),
    ahead: fc.integer({ min: -DAY_MS, max: 2 * DAY_MS }),
    bars: fc.integer({ min: 1, max: 30 }),
    previous: fc.boolean(),
    filter: fc.constantFrom({}, { browser: 'Firefox' }, { referrer_host: 'news.example', visitor_type: 'new' }),
  })
  .map(({ days, ahead, bars, previous, filter }) => (now: number): AnalyticsQuery => {
    const end = now + ahead;
    const length = Math.round((days * DAY_MS) / bars);
    const buckets = Array.from({ length: bars }, (_, index) => end - (bars - index) * length);
    return { buckets, end, filter, previousStart: previous ? end - 2 * bars * length : null };
  });

describe('the figures', () => {
  it('equal `computeAnalytics` for any history if everything that may still change is read live', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.array(query, { minLength: 1, maxLength: 4 }), run),
      { numRuns: 25 },
    );

    async function run(steps: readonly Step[], queries: readonly ((now: number) => AnalyticsQuery)[]) {
      await database.reset();
      const store = open();
      const sessions = new Map<number, SessionStart>();
      for (const one of steps) await take(store, sessions, one);
      for (const at of queries)
        expect(await store.analytics.read(at(clock.now))).toEqual(await expected(at(clock.now)));
    }
  });

  it('equal `computeAnalytics` from the archive alone, once the days are final', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), query, async (steps, at) => {
        await database.reset();
        const store = open(HARDLY_LIVE);
        const sessions = new Map<number, SessionStart>();
        for (const one of steps) await take(store, sessions, one);
        const then = at(clock.now);
        clock.now += 4 * DAY_MS;
        await store.analytics.rollUp(ROLL_UP);
        expect(await store.analytics.read(then)).toEqual(await expected(then));
        expect(await store.analytics.progress()).toBe(1);
      }),
      { numRuns: 25 },
    );
  });

  it('equal `computeAnalytics` from the archive right after a roll-up if no session changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(lastingStep, { minLength: 10, maxLength: 40 }), query, async (steps, at) => {
        await database.reset();
        const store = open(HARDLY_LIVE);
        const sessions = new Map<number, SessionStart>();
        for (const one of steps) {
          await take(store, sessions, one);
          // The order of two sessions at the same time is undefined.
          clock.now += 1;
        }
        await store.analytics.rollUp(ROLL_UP);
        expect(await store.analytics.read(at(clock.now))).toEqual(await expected(at(clock.now)));
      }),
      { numRuns: 25 },
    );
  });
});

describe('data beyond the live reads', () => {
  const today = { buckets: [NOW - HOUR_MS], end: NOW + HOUR_MS, previousStart: null, filter: {} };

  it.each([
    [0, 0, 2],
    [1, 1, 2],
    [2, 2, 2],
    // The oldest session that is read is excluded: others at the same time may be beyond the limit.
    [5, 2, 2],
    [5, 3, 3],
  ])('of %i sessions since the last roll-up, %i count before the next one', async (count, counted, moreSessions) => {
    const store = open({ sessions: 1, moreSessions, signups: 1, left: 50 });
    const start = async () => {
      clock.now += 1;
      await store.startSession(sessionOf({ session_start: clock.now }));
    };
    for (let index = 0; index < 4; index += 1) await start();
    clock.now += 1;
    await store.analytics.rollUp(ROLL_UP);
    for (let index = 0; index < count; index += 1) await start();
    const analytics = await store.analytics.read(today);
    expect(analytics.figures.sessions).toBe(4 + counted);
    if (counted === count) expect(analytics).toEqual(await expected(today));
  });

  it('of too many signups since the last roll-up, all read ones but the oldest count before the next one', async () => {
    const store = open({ ...HARDLY_LIVE, signups: 2 });
    const signUp = async () => {
      clock.now += 1;
      await store.createSignup(signupOf());
    };
    for (let index = 0; index < 2; index += 1) await signUp();
    clock.now += 1;
    await store.analytics.rollUp(ROLL_UP);
    for (let index = 0; index < 4; index += 1) await signUp();
    expect((await store.analytics.read(today)).figures.signups).toBe(2 + 1);
  });

  it('sessions and signups at the same time count once, even if some are beyond the limit', async () => {
    const store = open(HARDLY_LIVE);
    for (let index = 0; index < 3; index += 1) {
      const session = sessionOf({ session_start: NOW });
      await store.startSession(session);
      await store.createSignup(signupOf({ session_id: session.id }));
    }
    clock.now += 1;
    await store.analytics.rollUp(ROLL_UP);
    expect(await store.analytics.read(today)).toEqual(await expected(today));
  });

  it('visitors of the last minutes are active in every period', async () => {
    const store = open(HARDLY_LIVE);
    for (let index = 0; index < 3; index += 1) {
      await store.startSession(sessionOf({ session_start: clock.now }));
      clock.now += 1;
    }
    await store.analytics.rollUp(ROLL_UP);
    const lastYear = { ...today, buckets: [NOW - 365 * DAY_MS], end: NOW - 364 * DAY_MS };
    expect((await store.analytics.read(lastYear)).active_visitors).toBe(3);
  });

  it('do not change when sessions are pruned, or when the archive removes their visitors', async () => {
    const store = open(HARDLY_LIVE);
    for (const visitor_id of ['00ab', '0000abcd']) {
      const session = sessionOf({ session_start: clock.now, visitor_id });
      await store.startSession(session);
      await store.createSignup(signupOf({ email: `${visitor_id}@x.io`, session_id: session.id }));
    }
    for (const days of [1, 4]) {
      clock.now = NOW + days * DAY_MS;
      await store.startSession(sessionOf({ session_start: clock.now, visitor_id: '00ab' }));
    }
    clock.now = NOW + 8 * DAY_MS;
    const read = () => store.analytics.read({ ...today, end: NOW + 9 * DAY_MS });
    await store.analytics.rollUp(ROLL_UP);
    const before = await read();
    expect(before.figures).toMatchObject({ sessions: 4, visitors: 2, signups: 2 });
    expect(await store.prune(NOW + 2 * DAY_MS, 100)).toBeGreaterThan(0);
    expect(await read()).toEqual(before);
    clock.now += DAY_MS;
    await store.analytics.rollUp(ROLL_UP);
    expect(await read()).toEqual(before);
    const { docs } = await database.firestore.collection('analytics_parts').get();
    const visitors = docs.flatMap((part) => unpack(part.get('rows'))).map(({ visitor }) => visitor);
    expect(visitors.filter((visitor) => visitor === UNKNOWN)).toHaveLength(3);
    expect(visitors).not.toContain(0xabcd);
  });

  it('are finite and count all other rows if documents have fields of other types', async () => {
    const store = open(HARDLY_LIVE);
    const odd = [
      { total_duration: Number.NaN },
      { visitor_id: 7, referrer: { a: 1 } },
      { max_scroll_depth: 'all', browser: null },
    ];
    for (const [index, fields] of odd.entries()) {
      await database.firestore
        .collection('sessions')
        .doc(`odd-session-${index}`)
        .set({ session_start: NOW, ...fields });
    }
    await store.startSession(sessionOf({ session_start: NOW }));
    for (const days of [0, 3]) {
      clock.now = NOW + days * DAY_MS + HOUR_MS;
      await store.analytics.rollUp(ROLL_UP);
      expect((await store.analytics.read(today)).figures).toMatchObject({ sessions: 4, duration: 0 });
    }
  });
});

it('reports since when counting fails, and counts the newest hours even if a day cannot be counted', async () => {
  const store = open(HARDLY_LIVE);
  await store.startSession(sessionOf({ session_start: clock.now }));
  await store.analytics.rollUp(ROLL_UP);
  expect(await store.analytics.failure()).toBeNull();
  clock.now += 3 * DAY_MS;
  await store.startSession(sessionOf({ session_start: clock.now }));
  clock.now += 1;
  const now = clock.now;
  const get = vi.spyOn(Query.prototype, 'get');
  get.mockRejectedValueOnce(Object.assign(new Error('exhausted'), { code: 8 }));
  await expect(store.analytics.rollUp(ROLL_UP)).rejects.toThrow('Firestore failed: Error 8');
  expect(await store.analytics.failure()).toEqual({
    since: now,
    reason: expect.stringMatching(/Firestore failed: Error 8$/),
  });
  const lately = { buckets: [now - HOUR_MS], end: now + HOUR_MS, previousStart: null, filter: {} };
  expect((await store.analytics.read(lately)).figures.sessions).toBe(1);
  expect(await store.analytics.progress()).toBeLessThan(1);
  clock.now += HOUR_MS;
  get.mockRestore();
  await store.analytics.rollUp(ROLL_UP);
  expect(await store.analytics.failure()).toBeNull();
  expect(await store.analytics.progress()).toBe(1);
});

it('stores tallies by UTC day, and returns null until the first one', async () => {
  const { analytics } = open();
  const day = { buckets: [NOW], end: NOW + DAY_MS, previousStart: null, filter: {} };
  expect((await analytics.read(day)).tallies).toBeNull();
  await analytics.addTallies({ ...NO_TALLIES, robots: 3 });
  await analytics.addTallies({ ...NO_TALLIES, robots: 4, human_missing: 1 });
  clock.now += 3 * DAY_MS;
  await analytics.addTallies({ ...NO_TALLIES, robots: 5 });
  expect((await talliesRef(database.firestore).get()).get('days')).toEqual({ '2026-03-01': 7, '2026-03-04': 5 });
  expect((await analytics.read(day)).tallies).toEqual({ ...NO_TALLIES, robots: 7, human_missing: 1 });
  const readRobots = async (start: number, end: number) =>
    (await analytics.read({ ...day, buckets: [start], end })).tallies?.robots;
  const midnight = Date.UTC(2026, 2, 1);
  // A day counts if the period overlaps with it.
  expect(await readRobots(midnight + DAY_MS - 1, midnight + DAY_MS)).toBe(7);
  expect(await readRobots(midnight + DAY_MS, midnight + 3 * DAY_MS)).toBe(0);
  expect(await readRobots(midnight, midnight + 3 * DAY_MS + 1)).toBe(12);
});

it('reports its progress until older sessions are counted', async () => {
  const { startSession, analytics } = open();
  expect(await analytics.progress()).toBe(1);
  await startSession(sessionOf({ session_start: NOW }));
  expect(await analytics.progress()).toBe(1);
  clock.now += 10 * DAY_MS;
  expect(await analytics.progress()).toBe(0);
  await analytics.rollUp({ withinMs: 0 });
  await analytics.rollUp({ withinMs: 0 });
  // One of the eight days before the latest final day.
  expect(await analytics.progress()).toBe(1 / 8);
  await analytics.rollUp(ROLL_UP);
  expect(await analytics.progress()).toBe(1);
});

it('updates the archive if a server updates a session of a final day', async () => {
  const store = open();
  const session = sessionOf({ session_start: NOW });
  await store.startSession(session);
  clock.now += 4 * DAY_MS;
  await store.analytics.rollUp(ROLL_UP);
  await store.updateSession(session.id, updateOf(session, { total_duration: 40, page_count: 2 }));
  const query = { buckets: [NOW], end: NOW + DAY_MS, previousStart: null, filter: {} };
  const { figures } = await store.analytics.read(query);
  expect(figures).toMatchObject({ sessions: 1, bounces: 0, duration: 40, engaged_sessions: 1 });
  expect(await store.analytics.read(query)).toEqual(await expected(query));
});

it('reads each session four times until its day is final', async () => {
  async function countReads(sessions: number): Promise<number> {
    await database.reset();
    const store = open();
    for (let index = 0; index < sessions; index += 1) await store.startSession(sessionOf({ session_start: NOW }));
    database.calls.reset();
    for (const hours of [0.5, 1, 1.5, 2, 3, 24, 72]) {
      clock.now = NOW + hours * HOUR_MS;
      await store.analytics.rollUp(ROLL_UP);
    }
    return database.calls.documentReads;
  }
  expect(((await countReads(11)) - (await countReads(1))) / 10).toBe(4);
});
