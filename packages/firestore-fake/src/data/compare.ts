import { Buffer } from 'node:buffer';
import { parseTime } from './time.ts';
import { getElements, getFields, getNumber, type MapFields, type Value } from './value.ts';

const NUMERIC_ID = /^__id(-?\d+)__$/;
const SURROGATE = /[\ud800-\udfff]/;

/** The position of a type in Firestore's order of values. Integers and doubles are one type. */
export function getRank(value: Value): number {
  if ('nullValue' in value) return 0;
  if ('booleanValue' in value) return 1;
  if ('integerValue' in value || 'doubleValue' in value) return 2;
  if ('timestampValue' in value) return 3;
  if ('stringValue' in value) return 4;
  if ('bytesValue' in value) return 5;
  if ('referenceValue' in value) return 6;
  if ('geoPointValue' in value) return 7;
  return 'arrayValue' in value ? 8 : 9;
}

/** Firestore's order: negative, zero or positive. */
export function compareValues(a: Value, b: Value): number {
  if ('booleanValue' in a && 'booleanValue' in b) return Number(a.booleanValue) - Number(b.booleanValue);
  if ('timestampValue' in a && 'timestampValue' in b) {
    return order(parseTime(a.timestampValue, 'value'), parseTime(b.timestampValue, 'value'));
  }
  if ('stringValue' in a && 'stringValue' in b) return compareText(a.stringValue, b.stringValue);
  if ('bytesValue' in a && 'bytesValue' in b) {
    return Buffer.compare(Buffer.from(a.bytesValue, 'base64'), Buffer.from(b.bytesValue, 'base64'));
  }
  if ('referenceValue' in a && 'referenceValue' in b) return comparePaths(a.referenceValue, b.referenceValue);
  if ('geoPointValue' in a && 'geoPointValue' in b) {
    const [one, other] = [a.geoPointValue, b.geoPointValue];
    return order(one.latitude, other.latitude) || order(one.longitude, other.longitude);
  }
  if ('arrayValue' in a && 'arrayValue' in b) return compareLists(getElements(a), getElements(b), compareValues);
  if ('mapValue' in a && 'mapValue' in b) return compareMaps(getFields(a), getFields(b));
  const [left, right] = [getNumber(a), getNumber(b)];
  if (left !== undefined && right !== undefined) return compareNumbers(left, right);
  return getRank(a) - getRank(b);
}

export function equalValues(a: Value, b: Value): boolean {
  return compareValues(a, b) === 0;
}

/** NaN comes before all other numbers. Integers and doubles are compared exactly. */
export function compareNumbers(a: bigint | number, b: bigint | number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
  return order(a, b);
}

/** Paths and resource names by segment. */
function comparePaths(a: string, b: string): number {
  return compareLists(a.split('/'), b.split('/'), compareSegments);
}

/** Numeric ids, written `__id7__`, come before all others. */
function compareSegments(a: string, b: string): number {
  const [one, other] = [NUMERIC_ID.exec(a)?.[1], NUMERIC_ID.exec(b)?.[1]];
  if (one !== undefined && other !== undefined) return order(BigInt(one), BigInt(other));
  if (one === undefined && other === undefined) return compareText(a, b);
  return one === undefined ? 1 : -1;
}

/** Compares UTF-8 bytes, which differs from JavaScript's order for surrogate pairs. */
export function compareText(a: string, b: string): number {
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return order(a, b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function compareMaps(a: MapFields, b: MapFields): number {
  const byName = ([one]: readonly [string, Value], [other]: readonly [string, Value]) => compareText(one, other);
  const entries = [a, b].map((fields) => Object.entries(fields).sort(byName));
  const entry = (one: readonly [string, Value], other: readonly [string, Value]) =>
    compareText(one[0], other[0]) || compareValues(one[1], other[1]);
  return compareLists(entries[0] ?? [], entries[1] ?? [], entry);
}

function compareLists<T>(a: readonly T[], b: readonly T[], compare: (one: T, other: T) => number): number {
  for (const [index, one] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const result = compare(one, other);
    if (result !== 0) return result;
  }
  return a.length - b.length;
}

function order<T extends bigint | number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
