import { DIMENSIONS, MAX_VALUES_PER_DAY } from '../../../app/analytics/analytics.ts';
import { boundTouch, type OpenDimension, type Touch } from '../../../app/analytics/touch.ts';
import { integer, text } from '../../sql/row.ts';
import type { Transaction } from '../connection.ts';
import { touchHash } from './schema.ts';

const DAY_MS = 86_400_000;

/** A touch on a UTC day. */
interface TouchOfDay {
  readonly touch: Touch;
  readonly day: number;
}

interface StoredTouch {
  readonly id: number;
  /** Something counts as it on this day already, so its values have room. */
  readonly isOfDay: boolean;
}

const RECORD = `(position int, day bigint, ${DIMENSIONS.map((dimension) => `${dimension} text`).join(', ')})`;
const FIND = `
  SELECT position, touches.id, EXISTS (
    SELECT 1 FROM early_access.analytics_days AS days WHERE days.day = wanted.day AND touch_id = touches.id
  ) AS is_of_day
  FROM jsonb_to_recordset($1) AS wanted ${RECORD}
  JOIN early_access.touches ON ${touchHash('touches')} = ${touchHash('wanted')}
    AND ${DIMENSIONS.map((dimension) => `touches.${dimension} = wanted.${dimension}`).join(' AND ')}
`;
const INSERT = `
  INSERT INTO early_access.touches (${DIMENSIONS.join(', ')})
  SELECT ${DIMENSIONS.join(', ')} FROM jsonb_to_recordset($1) AS wanted ${RECORD} ORDER BY position RETURNING id
`;

/** Returns the ids of touches at these times, with `OTHER` for the values that a day has no room for, in the order in which they come. */
export async function touchIds(
  tx: Transaction,
  wanted: readonly { readonly touch: Touch; readonly time: number }[],
): Promise<readonly number[]> {
  // Most signups count as their session.
  if (wanted.length === 0) return [];
  const ofDays = wanted.map(({ touch, time }) => ({ touch, day: Math.floor(time / DAY_MS) }));
  const keys = ofDays.map(keyOf);
  const distinct = [...new Map(ofDays.map((one, index) => [keys[index], one] as const)).entries()];
  const found = await find(
    tx,
    distinct.map(([, one]) => one),
  );
  const ids = new Map<string | undefined, number>();
  const unknown: (typeof distinct)[number][] = [];
  for (const [index, entry] of distinct.entries()) {
    const stored = found[index];
    if (stored?.isOfDay) ids.set(entry[0], stored.id);
    else unknown.push(entry);
  }
  if (unknown.length > 0) {
    const rooms = await roomsOf(tx, new Set(unknown.map(([, { day }]) => day)));
    const bounded = unknown.map(([, { touch, day }]) => ({ touch: boundTouch(touch, rooms(day)), day }));
    const boundedIds = await findOrInsert(tx, bounded);
    for (const [index, [key]] of unknown.entries()) ids.set(key, boundedIds[index] ?? 0);
  }
  return keys.map((key) => ids.get(key) ?? 0);
}

function keyOf({ touch, day }: TouchOfDay): string {
  return JSON.stringify([day, ...DIMENSIONS.map((dimension) => touch[dimension])]);
}

function toRecords(touches: readonly TouchOfDay[]) {
  return touches.map(({ touch, day }, position) => ({ ...touch, day, position }));
}

async function find(tx: Transaction, touches: readonly TouchOfDay[]): Promise<readonly (StoredTouch | undefined)[]> {
  const found: (StoredTouch | undefined)[] = touches.map(() => undefined);
  for (const row of await tx.unsafe(FIND, [tx.json(toRecords(touches))])) {
    found[integer(row, 'position')] = { id: integer(row, 'id'), isOfDay: row.is_of_day === true };
  }
  return found;
}

async function findOrInsert(tx: Transaction, touches: readonly TouchOfDay[]): Promise<readonly number[]> {
  const keyOfAnyDay = ({ touch }: TouchOfDay) => keyOf({ touch, day: 0 });
  const found = await find(tx, touches);
  const missing = new Map<string, TouchOfDay>();
  for (const [index, one] of touches.entries()) if (found[index] === undefined) missing.set(keyOfAnyDay(one), one);
  const inserted = new Map<string, number>();
  if (missing.size > 0) {
    const rows = await tx.unsafe(INSERT, [tx.json(toRecords([...missing.values()]))]);
    for (const [index, key] of [...missing.keys()].entries()) inserted.set(key, integer(rows[index], 'id'));
  }
  return touches.map((one, index) => found[index]?.id ?? inserted.get(keyOfAnyDay(one)) ?? 0);
}

/** Returns a function that tells whether a day has room for a value, and gives it room until then. */
async function roomsOf(tx: Transaction, days: ReadonlySet<number>) {
  const rows =
    await tx`SELECT day, dimension, value FROM early_access.analytics_values WHERE day = ANY(${[...days]}::bigint[])`;
  const values = new Map<string, Set<string>>();
  const valuesOf = (day: number, dimension: string) => {
    const key = `${day} ${dimension}`;
    const known = values.get(key) ?? new Set();
    values.set(key, known);
    return known;
  };
  for (const row of rows) valuesOf(integer(row, 'day'), text(row, 'dimension')).add(text(row, 'value'));
  return (day: number) => (dimension: OpenDimension, value: string) => {
    const known = valuesOf(day, dimension);
    if (!known.has(value) && known.size >= MAX_VALUES_PER_DAY) return false;
    known.add(value);
    return true;
  };
}
