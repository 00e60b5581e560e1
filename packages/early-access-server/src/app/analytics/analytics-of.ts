import type { SessionRecord, StoredSignup } from 'early-access-kit/core';
import {
  ACTIVE_MS,
  type Analytics,
  type AnalyticsQuery,
  DIMENSIONS,
  ENGAGED_DEPTH,
  ENGAGED_SECONDS,
  MAX_VALUES_PER_DAY,
  type PeriodFigures,
} from './analytics.ts';
import { BreakdownSums } from './breakdown.ts';
import { boundTouch, matches, type OpenDimension, type Touch, touchOfSession, touchOfSignup } from './touch.ts';

export const DAY_MS = 86_400_000;

/** Everything stored, in the order in which it arrived. */
export interface AnalyticsRows {
  readonly sessions: readonly SessionRecord[];
  readonly signups: readonly StoredSignup[];
  /** Visits of robots in the query's period; null if the store cannot know. */
  readonly robots: number | null;
}

type CountedSession = SessionRecord & { readonly touch: Touch };
type CountedSignup = StoredSignup & { readonly touch: Touch };

/**
 * The figures computed from all sessions and signups at `now`. This is their definition: stores that save sums must return the same.
 *
 * A signup counts as its session does. In breakdowns a visitor counts once in each part of the period between two midnights UTC, with
 * the first session of that part, whatever the filter, and only if that session passes the filter.
 */
export function analyticsOf(
  rows: AnalyticsRows,
  { buckets, end, previousStart, filter }: AnalyticsQuery,
  now: number,
): Analytics {
  const { sessions, signups } = countedRows(rows);
  const start = buckets[0] ?? end;
  const passes = ({ touch }: { touch: Touch }) => matches(touch, filter);
  const [visits, leads] = [sessions.filter(passes), signups.filter(passes)];
  return {
    figures: figuresOf(visits, leads, start, end),
    previous: previousStart === null ? null : figuresOf(visits, leads, previousStart, start),
    buckets: buckets.map((from, index) => {
      const { visitors, signups: made } = figuresOf(visits, leads, from, buckets[index + 1] ?? end);
      return { start: from, visitors, signups: made };
    }),
    breakdowns: breakdownsOf(
      firstOfEachDay(sessions.filter(startedWithin(start, end))).filter(passes),
      leads.filter(madeWithin(start, end)),
    ),
    active_visitors: visitorsOf(
      rows.sessions.filter(
        ({ session_start, session_end }) => Math.max(session_start, session_end ?? 0) >= now - ACTIVE_MS,
      ),
    ),
    first: firstOf([
      ...rows.sessions.map((session) => session.session_start),
      ...rows.signups.map((signup) => signup.created_at),
    ]),
    robots: rows.robots,
  };
}

/** Adds the touch of each row: on each day the first values of a dimension count as they are, as many as there is room for. */
function countedRows({ sessions, signups }: AnalyticsRows): { sessions: CountedSession[]; signups: CountedSignup[] } {
  const values = new Map<string, Set<string>>();
  const bounded = (touch: Touch, time: number) =>
    boundTouch(touch, (dimension: OpenDimension, value) => {
      const key = `${Math.floor(time / DAY_MS)} ${dimension}`;
      const seen = values.get(key) ?? new Set();
      values.set(key, seen);
      if (seen.size < MAX_VALUES_PER_DAY) seen.add(value);
      return seen.has(value);
    });
  const counted = sessions.map((session) => ({
    ...session,
    touch: bounded(touchOfSession(session), session.session_start),
  }));
  const touches = new Map(counted.map(({ id, touch }) => [id, touch]));
  return {
    sessions: counted,
    signups: signups.map((signup) => ({
      ...signup,
      touch: touches.get(signup.session_id ?? '') ?? bounded(touchOfSignup(signup), signup.created_at),
    })),
  };
}

const startedWithin =
  (from: number, to: number) =>
  ({ session_start }: SessionRecord): boolean =>
    session_start >= from && session_start < to;

const madeWithin =
  (from: number, to: number) =>
  ({ created_at }: StoredSignup): boolean =>
    created_at >= from && created_at < to;

function figuresOf(
  sessions: readonly CountedSession[],
  signups: readonly CountedSignup[],
  from: number,
  to: number,
): PeriodFigures {
  const within = sessions.filter(startedWithin(from, to));
  const count = (counts: (session: SessionRecord) => boolean) => within.filter(counts).length;
  return {
    sessions: within.length,
    bounces: count(({ is_bounce }) => is_bounce),
    duration: within.reduce((sum, { total_duration }) => sum + total_duration, 0),
    timed_sessions: count(({ total_duration }) => total_duration > 0),
    engaged_sessions: count(
      ({ total_duration, max_scroll_depth }) => total_duration >= ENGAGED_SECONDS || max_scroll_depth >= ENGAGED_DEPTH,
    ),
    visitors: visitorsOf(within),
    signups: signups.filter(madeWithin(from, to)).length,
  };
}

function visitorsOf(sessions: readonly SessionRecord[]): number {
  return new Set(sessions.map(({ visitor_id }) => visitor_id)).size;
}

/** The first session of each visitor on each UTC day. */
function firstOfEachDay(sessions: readonly CountedSession[]): CountedSession[] {
  const first = new Map<string, CountedSession>();
  for (const session of sessions.toSorted((a, b) => a.session_start - b.session_start || (a.id < b.id ? -1 : 1))) {
    const key = `${Math.floor(session.session_start / DAY_MS)} ${session.visitor_id}`;
    if (!first.has(key)) first.set(key, session);
  }
  return [...first.values()];
}

function breakdownsOf(sessions: readonly CountedSession[], signups: readonly CountedSignup[]): Analytics['breakdowns'] {
  return breakdowns((add) => {
    for (const { touch } of sessions) add(touch, 1, 0);
    for (const { touch } of signups) add(touch, 0, 1);
  });
}

/** The breakdowns of all touches that are added. */
export function breakdowns(
  addAll: (add: (touch: Touch, visitors: number, signups: number) => void) => void,
): Analytics['breakdowns'] {
  const sums = {
    referrer_host: new BreakdownSums(),
    utm_source: new BreakdownSums(),
    utm_medium: new BreakdownSums(),
    utm_campaign: new BreakdownSums(),
    landing_path: new BreakdownSums(),
    device_type: new BreakdownSums(),
    browser: new BreakdownSums(),
    os: new BreakdownSums(),
    visitor_type: new BreakdownSums(),
  };
  addAll((touch, visitors, signups) => {
    for (const dimension of DIMENSIONS) sums[dimension].add(touch[dimension], visitors, signups);
  });
  return {
    referrer_host: sums.referrer_host.rows(),
    utm_source: sums.utm_source.rows(),
    utm_medium: sums.utm_medium.rows(),
    utm_campaign: sums.utm_campaign.rows(),
    landing_path: sums.landing_path.rows(),
    device_type: sums.device_type.rows(),
    browser: sums.browser.rows(),
    os: sums.os.rows(),
    visitor_type: sums.visitor_type.rows(),
  };
}

function firstOf(times: readonly number[]): number | null {
  return times.length === 0 ? null : times.reduce((first, time) => Math.min(first, time));
}
