import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import {
  type BreakdownRow,
  type Bucket,
  type DashboardResponse,
  DIMENSIONS,
  type Dimension,
  OTHER,
  type PeriodFigures,
  RANGES,
} from 'early-access-server/admin-api';

/** The fake server's time: a Sunday morning. */
export const NOW = Date.UTC(2026, 10, 22, 10, 42);
const TODAY = NOW - (NOW % DAY_MS);
const FIRST = Date.UTC(2026, 6, 1);

/** Values with their share of visitors, and the share of those who sign up, both in percent. */
const VALUES: Readonly<Record<Dimension, readonly (readonly [value: string, share: number, conversion: number])[]>> = {
  referrer_host: [
    ['', 34, 4.1],
    ['news.ycombinator.com', 19, 6.4],
    ['google.com', 14, 3.2],
    ['reddit.com', 9, 5.5],
    ['t.co', 8, 2.1],
    ['producthunt.com', 6, 9.8],
    ['indiehackers.com', 4, 8.3],
    ['github.com', 3, 4.4],
    ['a-rather-long-subdomain.of-a-newsletter.example', 2, 7.1],
    [OTHER, 1, 1.2],
  ],
  utm_source: [
    ['', 68, 4.6],
    ['newsletter', 14, 8.8],
    ['podcast', 9, 6.1],
    ['twitter', 6, 2.2],
    ['partner', 3, 5.4],
  ],
  utm_medium: [
    ['', 68, 4.6],
    ['email', 15, 8.8],
    ['audio', 9, 6.1],
    ['social', 8, 2.9],
  ],
  utm_campaign: [
    ['', 71, 4.7],
    ['launch-week', 16, 7.9],
    ['pricing-2026', 9, 5.1],
    ['black-friday', 4, 3.3],
  ],
  landing_path: [
    ['/', 71, 5.9],
    ['/pricing', 16, 6.6],
    ['/blog/how-much-is-a-print', 9, 2.4],
    ['/about', 4, 1.8],
  ],
  device_type: [
    ['desktop', 55, 6.2],
    ['mobile', 40, 4.1],
    ['tablet', 5, 3.9],
  ],
  browser: [
    ['Chrome', 51, 5.2],
    ['Safari', 27, 4.9],
    ['Firefox', 11, 6.8],
    ['Edge', 8, 4.2],
    ['Opera', 2, 3.1],
    ['Unknown', 1, 0],
  ],
  os: [
    ['macOS', 29, 6.1],
    ['Windows', 27, 5.3],
    ['iOS', 22, 4.2],
    ['Android', 17, 3.9],
    ['Linux', 5, 7.2],
  ],
  visitor_type: [
    ['new', 78, 5.6],
    ['returning', 22, 4.3],
  ],
  country: [],
};

/** Pages with their views per session. */
const PAGES = [
  ['/', 0.83],
  ['/pricing', 0.46],
  ['/blog/how-much-is-a-print', 0.12],
  ['/docs/getting-started', 0.11],
  ['/about', 0.08],
  ['/changelog', 0.06],
  ['/blog/paper-weights-and-what-they-mean-for-the-price-of-a-fine-art-print', 0.04],
  ['/compare/spreadsheets', 0.03],
  ['/imprint', 0.02],
  ['/#/calculator', 0.01],
] as const;

const LENGTH_DAYS = {
  today: 1,
  yesterday: 1,
  '24h': 1,
  '7d': 7,
  '30d': 30,
  '90d': 90,
  month: 14,
  year: 318,
  all: (TODAY + DAY_MS - FIRST) / DAY_MS,
} as const;

/** The figures for a request. Days are in UTC whatever the zone. */
export function fakeDashboard(
  query: URLSearchParams,
  progress = 1,
  failure: DashboardResponse['failure'] = null,
): DashboardResponse {
  const range = RANGES.find((name) => name === query.get('range')) ?? '30d';
  const end = range === 'custom' ? Date.parse(`${query.get('to')}`) + DAY_MS : TODAY + DAY_MS;
  const start = range === 'custom' ? Date.parse(`${query.get('from')}`) : end - LENGTH_DAYS[range] * DAY_MS;
  const bucket = end - start <= DAY_MS ? 'hour' : range === 'all' ? 'week' : 'day';
  const step = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS }[bucket];
  const filters = new Map(
    query.getAll('filter').map((text) => [text.split(':')[0], text.slice(text.indexOf(':') + 1)]),
  );
  const share = DIMENSIONS.reduce((product, dimension) => product * findShare(dimension, filters.get(dimension)), 1);
  const buckets: Bucket[] = [];
  for (let at = start; at < end; at += step) buckets.push({ start: at, ...computeTraffic(at, step, share) });
  const sum = (field: 'visitors' | 'signups') => buckets.reduce((total, row) => total + row[field], 0);
  const figures = computeFigures(sum('visitors'), sum('signups'));
  return {
    range,
    compare: query.get('compare') === 'year' ? 'year' : 'period',
    zone: query.get('zone') ?? 'UTC',
    start,
    end,
    compared: range === 'all' ? null : { start: start - (end - start), end: start },
    bucket,
    progress,
    failure,
    buckets,
    figures,
    previous:
      range === 'all' ? null : computeFigures(Math.round(figures.visitors * 0.86), Math.round(figures.signups * 0.91)),
    pages: PAGES.map(([value, share]) => ({ value, views: Math.round(figures.sessions * share) })),
    breakdowns: mapDimensions((dimension) => computeRows(dimension, figures, filters.get(dimension))),
    active_visitors: 7,
    first: FIRST,
    tallies: {
      robots: 1_204,
      human_missing: 212,
      human_refused: 38,
      human_replayed: 1_650,
      human_unreachable: 3,
      imported: 3_000,
    },
  };
}

export function emptyDashboard(query: URLSearchParams): DashboardResponse {
  const full = fakeDashboard(query);
  const none = computeFigures(0, 0);
  return {
    ...full,
    figures: none,
    previous: none,
    buckets: full.buckets.map(({ start }) => ({ start, ...none })),
    breakdowns: mapDimensions(() => []),
    pages: [],
    active_visitors: 0,
    first: null,
    tallies: { robots: 0, human_missing: 0, human_refused: 0, human_replayed: 0, human_unreachable: 0, imported: 0 },
  };
}

function mapDimensions(rows: (dimension: Dimension) => readonly BreakdownRow[]): DashboardResponse['breakdowns'] {
  return {
    referrer_host: rows('referrer_host'),
    utm_source: rows('utm_source'),
    utm_medium: rows('utm_medium'),
    utm_campaign: rows('utm_campaign'),
    landing_path: rows('landing_path'),
    device_type: rows('device_type'),
    browser: rows('browser'),
    os: rows('os'),
    visitor_type: rows('visitor_type'),
    country: rows('country'),
  };
}

function findShare(dimension: Dimension, value: string | undefined): number {
  if (value === undefined) return 1;
  return (VALUES[dimension].find(([name]) => name === value)?.[1] ?? 0) / 100;
}

/** Fewer visitors at weekends and at night, a slow rise, and one day with a peak. */
function computeTraffic(start: number, length: number, share: number): PeriodFigures {
  const random = seededRandom(start / HOUR_MS);
  let visitors = 0;
  for (let at = start; at < start + length && at <= NOW; at += HOUR_MS) {
    const day = new Date(at);
    const weekend = day.getUTCDay() % 6 === 0 ? 0.6 : 1;
    const rise = 0.5 + (at - FIRST) / (NOW - FIRST);
    const launch = Math.abs(at - Date.UTC(2026, 10, 10, 14)) < 14 * HOUR_MS ? 2.4 : 1;
    const daytime = 1 + 0.8 * Math.sin(((day.getUTCHours() - 9) / 24) * 2 * Math.PI);
    visitors += 11 * weekend * rise * launch * daytime * (0.7 + 0.6 * random());
  }
  return computeFigures(Math.round(visitors * share), Math.round(visitors * share * (0.04 + 0.03 * random())));
}

function computeFigures(visitors: number, signups: number): PeriodFigures {
  const sessions = Math.round(visitors * 1.31);
  return {
    sessions,
    visitors,
    signups,
    bounces: Math.round(sessions * 0.418),
    duration: sessions * 74,
    timed_sessions: Math.round(sessions * 0.91),
    engaged_sessions: Math.round(sessions * 0.46),
  };
}

function computeRows(
  dimension: Dimension,
  { visitors }: PeriodFigures,
  only: string | undefined,
): readonly BreakdownRow[] {
  return VALUES[dimension]
    .filter(([value]) => only === undefined || value === only)
    .map(([value, share, conversion]) => {
      const count = only === undefined ? Math.round((visitors * share) / 100) : visitors;
      const signups = Math.round((count * conversion) / 100);
      return { value, visitors: count, signups, joined: Math.round((signups * (conversion + 14)) / 100) };
    });
}

/** A generator of numbers from 0 to 1 that depend only on the seed (mulberry32), so that stories look the same. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
