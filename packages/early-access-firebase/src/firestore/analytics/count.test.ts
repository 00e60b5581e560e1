import { fc } from '@early-access-kit/testkit/fast-check';
import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { DAY_MS, INITIAL_TOTALS, type SessionRecord, type StoredSignup } from 'early-access-kit/internal';
import { computeAnalytics } from 'early-access-server/fixtures';
import { type AnalyticsQuery, MAX_VALUES_PER_DAY } from 'early-access-server/internal';
import { Timestamp } from 'firebase-admin/firestore';
import { expect, it } from 'vitest';
import { rowCounter } from './count.ts';
import { inOrder, sessionRow, signupRow } from './documents.ts';

const HALF_HOUR_MS = 1_800_000;
const MIDNIGHT = Date.UTC(2026, 2, 1);

type Visit = SessionRecord & { readonly page_views?: Readonly<Record<string, string>> };

function createSession(at: number, fields: Partial<Visit>): Visit {
  return { ...sessionOf({ session_start: at }), ...INITIAL_TOTALS, session_end: null, is_bounce: true, ...fields };
}

function check(sessions: Visit[], signups: StoredSignup[], query: AnalyticsQuery): void {
  const bySession = sessions.toSorted((a, b) => a.session_start - b.session_start);
  const rows = new Map(bySession.map((session) => [session.id, sessionRow(session)]));
  const ofSignups = signups.map((signup) => {
    const document = { ...signup, created_at: Timestamp.fromMillis(signup.created_at) };
    return signupRow(document, rows.get(signup.session_id ?? '')?.trafficSource);
  });
  const views = new Map(sessions.map(({ id, page_views = {} }) => [id, Object.values(page_views)]));
  const { figures, previous, buckets, breakdowns, pages } = computeAnalytics(
    { sessions: bySession, signups, views, tallies: null },
    query,
    0,
  );
  const counter = rowCounter(query);
  for (const row of inOrder([...rows.values(), ...ofSignups])) counter.add([row]);
  expect(counter.counts()).toEqual({ figures, previous, buckets, breakdowns, pages });
}

/** Four days in half-hour steps, which include the boundaries of days and buckets. */
const time = fc.nat(4 * 48).map((steps) => MIDNIGHT + steps * HALF_HOUR_MS);
const session = fc.record(
  {
    at: time,
    visitor_id: fc.constantFrom('0000abcd', 'ffffffff', 'visitor-of-another-tracker'),
    browser: fc.constantFrom('Firefox' as const, 'Chrome' as const),
    is_returning_visitor: fc.boolean(),
    referrer: fc.constantFrom(null, 'https://www.news.example/a'),
    utm_medium: fc.constant('email'),
    utm_campaign: fc.constant('may'),
    landing_path: fc.constantFrom('/', '/pricing'),
    page_views: fc.constantFrom({ 2: '/pricing' }, { 3: '/', 10: '/pricing' }),
    total_duration: fc.constantFrom(0, 1, 9, 10, 11),
    max_scroll_depth: fc.constantFrom(0, 49, 50, 51, 100),
    is_bounce: fc.boolean(),
  },
  { requiredKeys: ['at'] },
);
// The order of two sessions at the same time is undefined.
const sessions = fc.uniqueArray(session, { maxLength: 16, selector: ({ at }) => at });
const signup = fc.record(
  {
    at: time,
    session: fc.option(fc.nat(5)),
    referrer: fc.constantFrom(null, 'https://www.news.example/a'),
    page_url: fc.constant('https://example.org/pricing'),
    utm_source: fc.constant('letter'),
    utm_medium: fc.constant('email'),
    utm_campaign: fc.constant('may'),
  },
  { requiredKeys: ['at', 'session'] },
);
const query = fc
  .record({
    start: time,
    bars: fc.integer({ min: 1, max: 8 }),
    steps: fc.constantFrom(1, 7, 48),
    before: fc.option(fc.nat(60)),
    /** Length of the previous period; the two may overlap. */
    compared: fc.option(fc.nat(90), { nil: undefined }),
    filter: fc.constantFrom({}, { browser: 'Firefox' }, { referrer_host: 'news.example', visitor_type: 'new' }),
  })
  .map(({ start, bars, steps, before, compared, filter }): AnalyticsQuery => {
    const buckets = Array.from({ length: bars }, (_, index) => start + index * steps * HALF_HOUR_MS);
    const end = start + bars * steps * HALF_HOUR_MS;
    const previousStart = before === null ? null : start - before * HALF_HOUR_MS;
    if (previousStart === null || compared === undefined) return { buckets, end, filter, previousStart };
    return { buckets, end, filter, previousStart, previousEnd: previousStart + compared * HALF_HOUR_MS };
  });

it('counts rows like `computeAnalytics` counts sessions and signups', () => {
  fc.assert(
    fc.property(sessions, fc.array(signup, { maxLength: 8 }), query, (starts, made, query) => {
      const sessions = starts.map(({ at, ...fields }) => createSession(at, fields));
      const signups = made.map(({ at, session, ...fields }) => {
        const id = session === null ? null : (sessions[session]?.id ?? null);
        return { ...signupOf({ ...fields, session_id: id }), created_at: at };
      });
      check(sessions, signups, query);
    }),
    { numRuns: 500 },
  );
});

it('limits the number of values separately for each day', () => {
  const sessions = Array.from({ length: MAX_VALUES_PER_DAY + 2 }, (_, index) => [
    createSession(MIDNIGHT + index, { utm_source: `source-${index}` }),
    createSession(MIDNIGHT + DAY_MS + index, { utm_source: `source-${index + 1}` }),
  ]).flat();
  const query = { buckets: [MIDNIGHT], end: MIDNIGHT + 2 * DAY_MS, previousStart: null, filter: {} };
  check(sessions, [], query);
});
