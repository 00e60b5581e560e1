import { DAY_MS } from 'early-access-kit/internal';
import { DIMENSIONS, fitsIndex, MAX_VALUES_PER_DAY, OTHER } from '../../../app/analytics/analytics.ts';
import { limitSource, type OpenDimension, type TrafficSource } from '../../../app/analytics/traffic-source.ts';
import { integer, text } from '../../sql/row.ts';
import { list, raw, sql, type Transaction } from '../../sql/statement.ts';
import { hashSource } from './schema.ts';

interface SourceOfDay {
  readonly trafficSource: TrafficSource;
  readonly day: number;
}

interface StoredSource {
  readonly id: number;
  /** True if rows of this day already refer to it, so its values fit within the limit. */
  readonly isOfDay: boolean;
}

const COLUMNS = raw(DIMENSIONS.join(', '));
const RECORD = raw(`(position int, day bigint, ${DIMENSIONS.map((dimension) => `${dimension} text`).join(', ')})`);
const IS_EQUAL = raw(
  [
    `${hashSource('traffic_sources')} = ${hashSource('wanted')}`,
    ...DIMENSIONS.map((dimension) => `traffic_sources.${dimension} = wanted.${dimension}`),
  ].join(' AND '),
);

/** Returns the ids of traffic sources at these times, in order. Values beyond a day's limit become `OTHER`. */
export function* findSourceIds(
  wanted: readonly { readonly trafficSource: TrafficSource; readonly time: number }[],
): Transaction<readonly number[]> {
  // Most signups have the traffic source of their session.
  if (wanted.length === 0) return [];
  const ofDays = wanted.map(({ trafficSource, time }) => ({ trafficSource, day: Math.floor(time / DAY_MS) }));
  const keys = ofDays.map(createKey);
  const distinct = [...new Map(ofDays.map((one, index) => [keys[index], one] as const)).entries()];
  const found = yield* find(distinct.map(([, one]) => one));
  const ids = new Map<string | undefined, number>();
  const unknown: (typeof distinct)[number][] = [];
  for (const [index, entry] of distinct.entries()) {
    const stored = found[index];
    if (stored?.isOfDay) ids.set(entry[0], stored.id);
    else unknown.push(entry);
  }
  if (unknown.length > 0) {
    const rooms = yield* createReservations(new Set(unknown.map(([, { day }]) => day)));
    const bounded = unknown.map(([, { trafficSource, day }]) => ({
      trafficSource: limitSource(trafficSource, rooms(day)),
      day,
    }));
    const boundedIds = yield* findOrInsert(bounded);
    for (const [index, [key]] of unknown.entries()) ids.set(key, boundedIds[index] ?? 0);
  }
  return keys.map((key) => ids.get(key) ?? 0);
}

function createKey({ trafficSource, day }: SourceOfDay): string {
  return JSON.stringify([day, ...DIMENSIONS.map((dimension) => trafficSource[dimension])]);
}

function toRecords(trafficSources: readonly SourceOfDay[]): string {
  return JSON.stringify(
    trafficSources.map(({ trafficSource, day }, position) => ({ ...trafficSource, day, position })),
  );
}

function* find(trafficSources: readonly SourceOfDay[]): Transaction<readonly (StoredSource | undefined)[]> {
  const found: (StoredSource | undefined)[] = trafficSources.map(() => undefined);
  const rows = yield* sql`
    SELECT position, traffic_sources.id, EXISTS (
      SELECT 1 FROM @analytics_days AS days WHERE days.day = wanted.day AND traffic_source_id = traffic_sources.id
    ) AS is_of_day
    FROM jsonb_to_recordset(${toRecords(trafficSources)}) AS wanted ${RECORD} JOIN @traffic_sources ON ${IS_EQUAL}
  `;
  for (const row of rows) {
    found[integer(row, 'position')] = { id: integer(row, 'id'), isOfDay: row.is_of_day === true };
  }
  return found;
}

function* findOrInsert(trafficSources: readonly SourceOfDay[]): Transaction<readonly number[]> {
  const keyOfAnyDay = ({ trafficSource }: SourceOfDay) => createKey({ trafficSource, day: 0 });
  const found = yield* find(trafficSources);
  const missing = new Map<string, SourceOfDay>();
  for (const [index, one] of trafficSources.entries())
    if (found[index] === undefined) missing.set(keyOfAnyDay(one), one);
  const inserted = new Map<string, number>();
  if (missing.size > 0) {
    const rows = yield* sql`
      INSERT INTO @traffic_sources (${COLUMNS})
      SELECT ${COLUMNS} FROM jsonb_to_recordset(${toRecords([...missing.values()])}) AS wanted ${RECORD} ORDER BY position RETURNING id
    `;
    for (const [index, key] of [...missing.keys()].entries()) inserted.set(key, integer(rows[index], 'id'));
  }
  return trafficSources.map((one, index) => found[index]?.id ?? inserted.get(keyOfAnyDay(one)) ?? 0);
}

/**
 * Returns the paths under which page views on these days are counted: `OTHER` for a path that is too long or exceeds
 * the day's limit.
 */
export function* limitPaths(
  views: readonly { readonly path: string; readonly day: number }[],
): Transaction<readonly string[]> {
  if (views.length === 0) return [];
  const rows = yield* sql`
    SELECT position FROM jsonb_to_recordset(${JSON.stringify(views.map((view, position) => ({ ...view, position })))})
      AS wanted (position int, day bigint, path text)
    JOIN @analytics_values AS stored ON stored.day = wanted.day AND dimension = 'page_path' AND value = path
  `;
  const known = new Set(rows.map((row) => integer(row, 'position')));
  if (known.size === views.length) return views.map(({ path }) => path);
  const unknown = views.filter((_, position) => !known.has(position));
  const rooms = yield* createReservations(new Set(unknown.map(({ day }) => day)));
  return views.map(({ path, day }, position) =>
    known.has(position) || (fitsIndex(path) && rooms(day)('page_path', path)) ? path : OTHER,
  );
}

/** Returns a function that returns whether a day has room for a value, and if so reserves it. */
function* createReservations(days: ReadonlySet<number>) {
  const rows = yield* sql`SELECT day, dimension, value FROM @analytics_values WHERE day IN (${list([...days])})`;
  const values = new Map<string, Set<string>>();
  const getValues = (day: number, dimension: string) => {
    const key = `${day} ${dimension}`;
    const known = values.get(key) ?? new Set();
    values.set(key, known);
    return known;
  };
  for (const row of rows) getValues(integer(row, 'day'), text(row, 'dimension')).add(text(row, 'value'));
  return (day: number) => (dimension: OpenDimension | 'page_path', value: string) => {
    const known = getValues(day, dimension);
    if (!known.has(value) && known.size >= MAX_VALUES_PER_DAY) return false;
    known.add(value);
    return true;
  };
}
