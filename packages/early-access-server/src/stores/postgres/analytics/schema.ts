import { DIMENSIONS, type Dimension } from '../../../app/analytics/analytics.ts';
import { afterEach } from '../triggers.ts';

/** A hash of all values of a traffic source. */
export function hashSource(table: string, dimensions: readonly Dimension[] = DIMENSIONS): string {
  return `md5(${dimensions.map((column) => `${table}.${column}`).join(' || chr(10) || ')})`;
}

const FIRST_DIMENSIONS = DIMENSIONS.filter((dimension) => dimension !== 'country');

export const ANALYTICS_INDEXES = `
  -- With the visitor, so that distinct visitors of a filter are counted from the index alone.
  CREATE INDEX sessions_by_start ON early_access.sessions (session_start, traffic_source_id, previous_start, visitor_id);
  -- The hash, because an index entry has no room for the longest values.
  CREATE INDEX traffic_sources_by_values ON early_access.traffic_sources (${hashSource('traffic_sources', FIRST_DIMENSIONS)});
`;

/** Added in the step in which traffic sources get a country. */
export const COUNTRY_INDEX = `
  CREATE INDEX traffic_sources_by_values ON early_access.traffic_sources (${hashSource('traffic_sources')});
`;

/** The value that a row of `sessions` adds to each total. The numbers are `ENGAGED_SECONDS` and `ENGAGED_DEPTH`. */
const SESSION_SUMS = {
  sessions: '1',
  bounces: 'is_bounce',
  duration: 'total_duration',
  timed_sessions: '(total_duration > 0)::int',
  engaged_sessions: '(total_duration >= 10 OR max_scroll_depth >= 50)::int',
} as const;
/** True for a visitor's first session of a UTC day. */
const IS_FIRST = 'coalesce(previous_start / 86400000 < session_start / 86400000, true)::int';

/** Adds the totals of the changed rows to those of their group. */
function addSums(
  table: string,
  group: Readonly<Record<string, string>>,
  sums: Readonly<Record<string, string>>,
  where = 'true',
  from = 'changes',
): string {
  const [keys, names] = [Object.keys(group), Object.keys(sums)];
  const signed = Object.values(sums).map((sum) => `sum(sign * ${sum})::bigint`);
  return `
    INSERT INTO early_access.${table} (${[...keys, ...names].join(', ')})
      SELECT ${[...Object.values(group), ...signed].join(', ')} FROM ${from} WHERE ${where}
      GROUP BY ${keys.map((_, index) => index + 1).join(', ')} HAVING ${signed.map((sum) => `${sum} <> 0`).join(' OR ')}
      -- In one order, although only one writer is at work.
      ORDER BY ${keys.map((_, index) => index + 1).join(', ')}
      ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`;
}

const DAY_OF_SESSION = { day: 'session_start / 86400000', traffic_source_id: 'traffic_source_id' } as const;
const DAY_OF_SIGNUP = { day: 'created_at / 86400000', traffic_source_id: 'traffic_source_id' } as const;
/** Imported people do not count as signups. */
const IS_COUNTED = 'traffic_source_id IS NOT NULL';
const removeEmptyDays = (day: string) => `
    DELETE FROM early_access.analytics_days USING changes
      WHERE analytics_days.day = ${day} AND analytics_days.traffic_source_id = changes.traffic_source_id AND sign < 0
        AND sessions = 0 AND signups = 0`;

const VALUES_OF_DAYS = `
      SELECT day, dimension, value, sum(sign) AS uses FROM changes JOIN early_access.traffic_sources ON traffic_sources.id = traffic_source_id
      CROSS JOIN LATERAL (VALUES ('referrer_host', referrer_host), ('utm_source', utm_source), ('utm_medium', utm_medium),
        ('utm_campaign', utm_campaign), ('landing_path', landing_path)) AS of_source (dimension, value)
      WHERE value <> '' GROUP BY 1, 2, 3`;
const USES_OF_SOURCES = `
    UPDATE early_access.traffic_sources SET uses = traffic_sources.uses + days.count
      FROM (SELECT traffic_source_id, sum(sign) AS count FROM changes GROUP BY 1) AS days WHERE traffic_sources.id = days.traffic_source_id`;

/**
 * Triggers keep the totals consistent with the rows, regardless of which program writes. Traffic sources and their
 * values are only stored while rows refer to them, so that nothing remains of an erased session.
 */
export const ANALYTICS_TRIGGERS = [
  afterEach(
    'sessions',
    ['insert', 'update', 'delete'],
    [
      addSums('analytics_hours', { hour: 'session_start / 3600000' }, SESSION_SUMS),
      addSums('analytics_hours', { hour: 'previous_start / 3600000' }, { followed: '1' }, 'previous_start IS NOT NULL'),
      addSums('analytics_days', DAY_OF_SESSION, { ...SESSION_SUMS, visitors: IS_FIRST }),
      addSums(
        'returns',
        { hour: 'session_start / 3600000', previous_hour: 'previous_start / 3600000' },
        { sessions: '1' },
        'previous_start IS NOT NULL',
      ),
      `
    DELETE FROM early_access.returns USING changes
      WHERE hour = session_start / 3600000 AND previous_hour = previous_start / 3600000 AND sign < 0 AND sessions = 0`,
      removeEmptyDays(DAY_OF_SESSION.day),
      addSums(
        'analytics_pages',
        { ...DAY_OF_SESSION, path: 'value ->> 1' },
        { views: '1' },
        'page_views IS NOT NULL',
        'changes CROSS JOIN LATERAL jsonb_array_elements(page_views::jsonb)',
      ),
      `
    DELETE FROM early_access.analytics_pages AS page USING changes
      WHERE page.day = session_start / 86400000 AND page.traffic_source_id = changes.traffic_source_id AND page_views IS NOT NULL AND sign < 0
        AND page.views = 0`,
    ],
  ),
  afterEach(
    'email_signups',
    ['insert', 'update', 'delete'],
    [
      'UPDATE early_access.totals SET signups = signups + added FROM (SELECT sum(sign) AS added FROM changes) AS sums WHERE added <> 0',
      addSums('analytics_hours', { hour: 'created_at / 3600000' }, { signups: '1' }, IS_COUNTED),
      addSums('analytics_days', DAY_OF_SIGNUP, { signups: '1' }, IS_COUNTED),
      removeEmptyDays(DAY_OF_SIGNUP.day),
    ],
  ),
  afterEach(
    'analytics_pages',
    ['insert', 'update'],
    [
      addSums('analytics_values', { day: 'day', dimension: "'page_path'", value: 'path' }, { uses: 'views' }),
      `
    DELETE FROM early_access.analytics_values USING changes
      WHERE analytics_values.day = changes.day AND dimension = 'page_path' AND value = path AND sign < 0 AND uses = 0`,
    ],
  ),
  afterEach(
    'analytics_days',
    ['insert'],
    [
      USES_OF_SOURCES,
      `
    INSERT INTO early_access.analytics_values (day, dimension, value, uses) ${VALUES_OF_DAYS}
      ON CONFLICT (day, dimension, value) DO UPDATE SET uses = analytics_values.uses + excluded.uses`,
    ],
  ),
  afterEach(
    'analytics_days',
    ['delete'],
    [
      `, removed AS (${VALUES_OF_DAYS})
    UPDATE early_access.analytics_values AS stored SET uses = stored.uses + removed.uses FROM removed
      WHERE (stored.day, stored.dimension, stored.value) = (removed.day, removed.dimension, removed.value)`,
      'DELETE FROM early_access.analytics_values USING (SELECT DISTINCT day FROM changes) AS days WHERE analytics_values.day = days.day AND uses = 0',
      USES_OF_SOURCES,
      'DELETE FROM early_access.traffic_sources USING changes WHERE traffic_sources.id = traffic_source_id AND uses = 0',
    ],
  ),
].join('\n');
