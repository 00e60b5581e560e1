import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from 'early-access-kit/internal';
import type { SqliteStore } from 'early-access-server/sqlite';

type Query = Parameters<SqliteStore['analytics']['read']>[0];

/** The dashboard's queries, in a zone whose days do not start at midnight UTC. */
export function dashboardQueries(now: number): Readonly<Record<string, Query>> {
  const tomorrow = Math.ceil(now / DAY_MS) * DAY_MS - 2 * 3_600_000 + (now % DAY_MS > 22 * 3_600_000 ? DAY_MS : 0);
  const days = (count: number): Omit<Query, 'filter'> => ({
    buckets: Array.from({ length: count }, (_, day) => tomorrow - (count - day) * DAY_MS),
    end: tomorrow,
    previousStart: tomorrow - 2 * count * DAY_MS,
  });
  const hours = Array.from({ length: 24 }, (_, hour) => tomorrow - 2 * DAY_MS + hour * 3_600_000);
  return {
    '30 days': { ...days(30), filter: {} },
    '90 days': { ...days(90), filter: {} },
    everything: { ...days(31), previousStart: null, filter: {} },
    '30 days of one source': { ...days(30), filter: { utm_source: 'source-1' } },
    'yesterday of one source': {
      buckets: hours,
      end: tomorrow - DAY_MS,
      previousStart: tomorrow - 3 * DAY_MS,
      filter: { utm_source: 'source-1' },
    },
  };
}

const BY = [
  'referrer',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'landing_path',
  'device_type',
  'browser',
  'os',
  'is_returning_visitor',
];

/** Counts visitors from the sessions. With a filter, they are counted once per UTC day, as in the dashboard. */
export function countVisitors(db: DatabaseSync, query: Query): number {
  const { period, within } = selectSessions(query);
  // The plus signs force the index of visitors, which lists equal ones in sequence.
  const distinct = `
    SELECT count(DISTINCT visitor_id) AS visitors FROM sessions
    WHERE +session_start >= :start AND +session_start < :end AND :source IS NULL
  `;
  const daily = `
    SELECT count(*) AS visitors FROM sessions WHERE ${within}
      AND (previous_start IS NULL OR previous_start < max(session_start / ${DAY_MS} * ${DAY_MS}, :start))
  `;
  return Number(db.prepare(query.filter.utm_source === undefined ? distinct : daily).get(period)?.visitors);
}

/** Counts the sessions of a query's period and the previous one, from all sources. */
export function countSessions(db: DatabaseSync, { buckets, end, previousStart }: Query): number {
  const start = previousStart ?? buckets[0] ?? end;
  const count = db.prepare('SELECT count(*) AS sessions FROM sessions WHERE session_start >= ? AND session_start < ?');
  return Number(count.get(start, end)?.sessions);
}

/** Computes all of the dashboard's figures from the sessions: sums, visitors per day, and one query per breakdown. */
export function countOnDemand(db: DatabaseSync, query: Query): void {
  const { period, within } = selectSessions(query);
  db.prepare(`
    SELECT count(*), sum(is_bounce), sum(total_duration), count(DISTINCT visitor_id) FROM sessions WHERE ${within}
  `).get(period);
  db.prepare(
    `SELECT (session_start - :start) / ${DAY_MS}, count(DISTINCT visitor_id) FROM sessions WHERE ${within} GROUP BY 1`,
  ).all(period);
  for (const dimension of BY) {
    db.prepare(`SELECT ${dimension}, count(DISTINCT visitor_id) FROM sessions WHERE ${within} GROUP BY 1`).all(period);
  }
}

/** Returns the condition for the sessions of a query's period and source, with its parameters. */
function selectSessions({ buckets, end, filter }: Query) {
  return {
    within: 'session_start >= :start AND session_start < :end AND (:source IS NULL OR utm_source = :source)',
    period: { start: buckets[0] ?? end, end, source: filter.utm_source ?? null },
  };
}
