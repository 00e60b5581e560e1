import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import type { SessionRecord, SessionStart, SessionTotals, StoredSignup } from 'early-access-kit/internal';
import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { type AnalyticsQuery, MAX_VALUES_PER_DAY, NO_TALLIES, OTHER } from './analytics.ts';
import { type AnalyticsRows, barOfDay, computeAnalytics, hasBarsOfDays } from './compute-analytics.ts';

/** Midnight UTC. */
const TODAY = Date.UTC(2026, 3, 2);
const NOW = TODAY + 20 * HOUR_MS;
const QUERY: AnalyticsQuery = { buckets: [TODAY], end: TODAY + DAY_MS, previousStart: null, filter: {} };

function makeSession(
  session_start: number,
  { total_duration = 0, max_scroll_depth = 0, session_end, ...start }: Partial<SessionStart & SessionTotals> = {},
  is_bounce = true,
): SessionRecord {
  const session = sessionOf({ session_start, ...start });
  const end = session_end === undefined ? {} : { session_end };
  return { ...updateOf(session, { total_duration, max_scroll_depth, ...end }), id: session.id, is_bounce };
}

function makeSignup(created_at: number, fields: Parameters<typeof signupOf>[0] = {}): StoredSignup {
  return { ...signupOf(fields), created_at };
}

function analytics(rows: Partial<AnalyticsRows>, query: Partial<AnalyticsQuery> = {}) {
  return computeAnalytics(
    { sessions: [], signups: [], views: new Map(), tallies: null, ...rows },
    { ...QUERY, ...query },
    NOW,
  );
}

describe('computeAnalytics', () => {
  it('counts the sessions that started in a period, and the signups that were made in it, without its end', () => {
    const times = [TODAY - 1, TODAY, TODAY + DAY_MS - 1, TODAY + DAY_MS];
    const { figures } = analytics({
      sessions: times.map((time) => makeSession(time)),
      signups: times.map((time) => makeSignup(time)),
    });
    expect(figures).toMatchObject({ sessions: 2, visitors: 2, signups: 2 });
  });

  it('adds up how sessions went', () => {
    const { figures } = analytics({
      sessions: [
        makeSession(TODAY, { visitor_id: 'visitor-number-1', total_duration: 1, max_scroll_depth: 49 }),
        makeSession(TODAY, { visitor_id: 'visitor-number-1', total_duration: 9, max_scroll_depth: 49 }, false),
        makeSession(TODAY, { total_duration: 10, max_scroll_depth: 0 }),
        makeSession(TODAY, { total_duration: 0, max_scroll_depth: 50 }),
        makeSession(TODAY),
      ],
    });
    expect(figures).toEqual({
      sessions: 5,
      bounces: 4,
      duration: 20,
      timed_sessions: 3,
      engaged_sessions: 2,
      visitors: 4,
      signups: 0,
    });
  });

  it('compares with the period that ends where this one starts', () => {
    const previousStart = TODAY - DAY_MS;
    const times = [previousStart - 1, previousStart, TODAY - 1, TODAY];
    const rows = { sessions: times.map((time) => makeSession(time)), signups: times.map((time) => makeSignup(time)) };
    expect(analytics(rows, { previousStart }).previous).toMatchObject({ sessions: 2, visitors: 2, signups: 2 });
    expect(analytics(rows).previous).toBeNull();
  });

  it('has the distinct visitors and the signups of each bar', () => {
    const noon = TODAY + 12 * HOUR_MS;
    const again = { visitor_id: 'visitor-number-1' };
    const { buckets, figures } = analytics(
      {
        sessions: [
          makeSession(TODAY, again),
          makeSession(noon - 1, again),
          makeSession(noon, again),
          makeSession(noon),
        ],
        signups: [makeSignup(noon)],
      },
      { buckets: [TODAY, noon] },
    );
    expect(buckets).toMatchObject([
      { start: TODAY, sessions: 2, bounces: 2, visitors: 1, signups: 0 },
      { start: noon, sessions: 2, bounces: 2, visitors: 2, signups: 1 },
    ]);
    expect(figures.visitors).toBe(2);
  });

  it('counts a visitor in breakdowns once a UTC day, with the first session of the day, in any order', () => {
    const visitor_id = 'visitor-number-1';
    const { breakdowns } = analytics(
      {
        sessions: [
          makeSession(TODAY + 2, { visitor_id, utm_source: 'second' }),
          makeSession(TODAY + 1, { visitor_id, utm_source: 'first', id: 'session-b' }),
          makeSession(TODAY + 1, { visitor_id, utm_source: 'chosen', id: 'session-a' }),
          makeSession(TODAY + DAY_MS, { visitor_id, utm_source: 'tomorrow' }),
          makeSession(TODAY + 3, { visitor_id: 'visitor-number-2', utm_source: 'chosen', id: 'session-c' }),
          makeSession(TODAY + 3, { visitor_id: 'visitor-number-2', utm_source: 'first', id: 'session-d' }),
        ],
      },
      { end: TODAY + 2 * DAY_MS },
    );
    expect(breakdowns.utm_source).toEqual([
      { value: 'chosen', visitors: 2, signups: 0, joined: 0 },
      { value: 'tomorrow', visitors: 1, signups: 0, joined: 0 },
    ]);
  });

  it('breaks visitors and signups of the period down by each dimension', () => {
    const session = {
      referrer: 'https://search.example/',
      utm_source: 'news',
      utm_medium: 'email',
      utm_campaign: 'sale',
      landing_path: '/join',
    };
    const { breakdowns } = analytics({
      sessions: [makeSession(TODAY, session), makeSession(TODAY - 1, session)],
      signups: [makeSignup(TODAY, { utm_source: 'news' }), makeSignup(TODAY - 1, { utm_source: 'news' })],
    });
    const visit = { visitors: 1, signups: 0, joined: 0 };
    const nothing = { value: '', visitors: 0, signups: 1, joined: 0 };
    expect(breakdowns).toEqual({
      country: [{ value: '', visitors: 1, signups: 1, joined: 0 }],
      referrer_host: [{ value: 'search.example', ...visit }, nothing],
      utm_source: [{ value: 'news', visitors: 1, signups: 1, joined: 0 }],
      utm_medium: [{ value: 'email', ...visit }, nothing],
      utm_campaign: [{ value: 'sale', ...visit }, nothing],
      landing_path: [{ value: '/join', ...visit }, nothing],
      device_type: [{ value: 'desktop', ...visit }, nothing],
      browser: [{ value: 'Firefox', ...visit }, nothing],
      os: [{ value: 'Linux', ...visit }, nothing],
      visitor_type: [{ value: 'new', ...visit }, nothing],
    });
  });

  it('counts a signup as its session', () => {
    const session = makeSession(TODAY - DAY_MS, { utm_source: 'news' });
    const signups = [
      makeSignup(TODAY, { session_id: session.id, utm_source: 'own' }),
      makeSignup(TODAY, { session_id: 'session-of-nobody', utm_source: 'own' }),
    ];
    expect(analytics({ sessions: [session], signups }).breakdowns.utm_source).toEqual([
      { value: 'news', visitors: 0, signups: 1, joined: 0 },
      { value: 'own', visitors: 0, signups: 1, joined: 0 },
    ]);
  });

  it('with a filter counts only what has its values, and a visitor once a UTC day, with the first session of the day', () => {
    const visitor_id = 'visitor-number-1';
    const sessions = [
      makeSession(TODAY, { visitor_id, utm_source: 'other' }),
      makeSession(TODAY + 1, { visitor_id, utm_source: 'news' }),
      makeSession(TODAY + DAY_MS, { visitor_id, utm_source: 'news' }),
      makeSession(TODAY + 2 * DAY_MS, { visitor_id, utm_source: 'news' }),
    ];
    const signups = [makeSignup(TODAY, { utm_source: 'news' }), makeSignup(TODAY, { utm_source: 'other' })];
    const days = { buckets: [TODAY, TODAY + DAY_MS, TODAY + 2 * DAY_MS], end: TODAY + 3 * DAY_MS };
    const { figures, buckets, breakdowns } = analytics(
      { sessions, signups },
      { ...days, filter: { utm_source: 'news' } },
    );
    expect(figures).toMatchObject({ sessions: 3, visitors: 2, signups: 1 });
    expect(buckets.map(({ visitors }) => visitors)).toEqual([0, 1, 1]);
    expect(breakdowns.utm_source).toEqual([{ value: 'news', visitors: 2, signups: 1, joined: 0 }]);
    expect(analytics({ sessions, signups }, days).figures).toMatchObject({ sessions: 4, visitors: 1, signups: 2 });
  });

  it('takes as many values of a dimension a day as there is room for, those first that arrived first', () => {
    const names = Array.from({ length: MAX_VALUES_PER_DAY + 1 }, (_, index) => `source-${index}`);
    const last = names.at(-1) ?? '';
    const signups = [
      { utm_source: last, at: TODAY },
      { utm_source: names[0] ?? '', at: TODAY },
      { utm_source: last, at: TODAY + DAY_MS },
    ];
    const query = { end: TODAY + 2 * DAY_MS };
    const rows = {
      sessions: names.map((utm_source, index) => makeSession(TODAY + index, { utm_source })),
      signups: signups.map(({ utm_source, at }) => makeSignup(at, { utm_source })),
    };
    const readFigures = (utm_source: string) => {
      const { visitors, signups: made } = analytics(rows, { ...query, filter: { utm_source } }).figures;
      return [visitors, made];
    };
    expect(readFigures(names[0] ?? '')).toEqual([1, 1]);
    expect(readFigures(last)).toEqual([0, 1]);
    expect(readFigures(OTHER)).toEqual([1, 1]);
  });

  it('has who was on the site within five minutes, for any period and filter', () => {
    const since = NOW - 300_000;
    const sessions = [
      makeSession(since, { visitor_id: 'visitor-number-1' }),
      makeSession(since + 1, { visitor_id: 'visitor-number-1' }),
      makeSession(since - HOUR_MS, { session_end: since }),
      makeSession(since - HOUR_MS, { session_end: since - 1 }),
      makeSession(since - 1),
    ];
    const query = { buckets: [0], end: 1, filter: { browser: 'Chrome' } };
    expect(analytics({ sessions }, query).active_visitors).toBe(2);
  });

  it('knows the hour of the first row, and passes on what was counted elsewhere', () => {
    const rows = {
      sessions: [makeSession(TODAY + 7_000), makeSession(TODAY + 5_000)],
      signups: [makeSignup(TODAY + 6_000)],
      tallies: NO_TALLIES,
    };
    expect(analytics(rows)).toMatchObject({ first: TODAY, tallies: NO_TALLIES });
    expect(analytics({ ...rows, signups: [makeSignup(TODAY - 4_000)] }).first).toBe(TODAY - HOUR_MS);
    expect(analytics({})).toMatchObject({ first: null, tallies: null });
  });

  it('adds up the page views of sessions that started in the period and pass the filter', () => {
    const [first, second, before] = [
      makeSession(TODAY, { landing_path: '/', browser: 'Chrome' }),
      makeSession(TODAY, { browser: 'Firefox' }),
      makeSession(TODAY - 1),
    ];
    const views = new Map([
      [first.id, ['/prices', '/']],
      [second.id, ['/prices', '/about']],
      [before.id, ['/about']],
    ]);
    const rows = { sessions: [before, first, second], views };
    expect(analytics(rows).pages).toEqual([
      { value: '/', views: 2 },
      { value: '/prices', views: 2 },
      { value: '', views: 1 },
      { value: '/about', views: 1 },
    ]);
    expect(analytics(rows, { filter: { browser: 'Chrome' } }).pages).toEqual([
      { value: '/', views: 2 },
      { value: '/prices', views: 1 },
    ]);
  });

  it('is zero for a period without bars', () => {
    expect(analytics({ sessions: [makeSession(TODAY)] }, { buckets: [] })).toMatchObject({
      figures: { sessions: 0, visitors: 0 },
      buckets: [],
    });
  });
});

describe('bars of a filtered period', () => {
  it('are made of days if it is longer than a day and a half', () => {
    const filter = { utm_source: '' };
    expect(hasBarsOfDays({ buckets: [TODAY], end: TODAY + 36 * HOUR_MS + 1, filter })).toBe(true);
    expect(hasBarsOfDays({ buckets: [TODAY], end: TODAY + 36 * HOUR_MS, filter })).toBe(false);
    expect(hasBarsOfDays({ buckets: [TODAY], end: TODAY + 90 * DAY_MS, filter: {} })).toBe(false);
    expect(hasBarsOfDays({ buckets: [], end: TODAY, filter })).toBe(false);
  });

  it('have the days whose noon is in them, and the parts of days at the ends of the period', () => {
    const [before, after] = [TODAY + 11 * HOUR_MS, TODAY + 13 * HOUR_MS];
    expect(barOfDay({ buckets: [TODAY, before], end: TODAY + DAY_MS }, TODAY)).toBe(1);
    expect(barOfDay({ buckets: [TODAY, TODAY + 12 * HOUR_MS], end: TODAY + DAY_MS }, TODAY)).toBe(1);
    expect(barOfDay({ buckets: [TODAY, after], end: TODAY + DAY_MS }, TODAY + DAY_MS - 1)).toBe(0);
    // Starts after the noon of its first day, and ends before that of its last.
    expect(barOfDay({ buckets: [after, TODAY + DAY_MS], end: TODAY + 2 * DAY_MS }, after)).toBe(0);
    expect(barOfDay({ buckets: [TODAY - DAY_MS, TODAY], end: before }, TODAY + 1)).toBe(1);
    expect(barOfDay({ buckets: [TODAY - DAY_MS, before], end: before }, TODAY + 1)).toBe(0);
  });
});
