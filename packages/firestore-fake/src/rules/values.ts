import { Buffer } from 'node:buffer';
import type { StoredDocument } from '../data/document.ts';
import { type Micros, parseTime } from '../data/time.ts';
import { getElements, getFields, getNumber, type MapFields, type Value } from '../data/value.ts';

/** Values of the rules language: bigint is `int`, number is `float`. */
export type RuleValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly RuleValue[]
  | RuleMap
  | RuleSet
  | MapDiff
  | Bytes
  | Timestamp
  | Duration
  | Path
  | LatLng;

export type RuleMap = ReadonlyMap<string, RuleValue>;

export class RuleSet {
  readonly items: readonly RuleValue[];
  constructor(items: readonly RuleValue[]) {
    this.items = items.filter((item, place) => items.findIndex((other) => equal(item, other)) === place);
  }
}

export class MapDiff {
  readonly after: RuleMap;
  readonly before: RuleMap;
  constructor(after: RuleMap, before: RuleMap) {
    this.after = after;
    this.before = before;
  }
}

export class Bytes {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

export class Timestamp {
  readonly micros: Micros;
  constructor(micros: Micros) {
    this.micros = micros;
  }
}

export class Duration {
  readonly micros: bigint;
  constructor(micros: bigint) {
    this.micros = micros;
  }
}

export class Path {
  readonly segments: readonly string[];
  constructor(segments: readonly string[]) {
    this.segments = segments;
  }
}

class LatLng {
  readonly latitude: number;
  readonly longitude: number;
  constructor(latitude: number, longitude: number) {
    this.latitude = latitude;
    this.longitude = longitude;
  }
}

/** The type names of `is`. `number` means `int` or `float`; every value has exactly one of the others. */
export const TYPES = [
  'bool',
  'int',
  'float',
  'number',
  'string',
  'list',
  'map',
  'set',
  'map_diff',
  'bytes',
  'timestamp',
  'duration',
  'path',
  'latlng',
] as const;

export function nameType(value: RuleValue): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float';
  if (typeof value === 'string') return 'string';
  if (isMap(value)) return 'map';
  if (value instanceof RuleSet) return 'set';
  if (value instanceof MapDiff) return 'map_diff';
  if (value instanceof Bytes) return 'bytes';
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Duration) return 'duration';
  if (value instanceof Path) return 'path';
  return value instanceof LatLng ? 'latlng' : 'list';
}

export function isMap(value: RuleValue): value is RuleMap {
  return value instanceof Map;
}

export function isList(value: RuleValue): value is readonly RuleValue[] {
  return Array.isArray(value);
}

/** Compares by content. Integers and floats can be equal; values of other types cannot. */
export function equal(a: RuleValue, b: RuleValue): boolean {
  if (isNumber(a) && isNumber(b)) return a <= b && a >= b;
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, place) => equal(item, b[place] ?? null));
  if (isMap(a) && isMap(b)) return a.size === b.size && [...a].every(([key, item]) => hasEqual(b, key, item));
  if (a instanceof RuleSet && b instanceof RuleSet) {
    return a.items.length === b.items.length && a.items.every((item) => includes(b.items, item));
  }
  if (a instanceof Timestamp && b instanceof Timestamp) return a.micros === b.micros;
  if (a instanceof Duration && b instanceof Duration) return a.micros === b.micros;
  if (a instanceof Path && b instanceof Path) return a.segments.join('/') === b.segments.join('/');
  if (a instanceof Bytes && b instanceof Bytes) return a.bytes.equals(b.bytes);
  if (a instanceof LatLng && b instanceof LatLng) return a.latitude === b.latitude && a.longitude === b.longitude;
  return a === b;
}

export function includes(items: readonly RuleValue[], wanted: RuleValue): boolean {
  return items.some((item) => equal(item, wanted));
}

export function isNumber(value: RuleValue): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}

/** `resource`: the document's fields as `data`, with its name and id. */
export function createResource(document: StoredDocument): RuleMap {
  const name = documentName(document.path);
  const id = document.path.slice(document.path.lastIndexOf('/') + 1);
  return new Map<string, RuleValue>([
    ['data', toMap(document.fields)],
    ['id', id],
    ['__name__', name],
  ]);
}

export function documentName(path: string): Path {
  return new Path(['databases', '(default)', 'documents', ...path.split('/')]);
}

function toMap(fields: MapFields): RuleMap {
  return new Map(Object.entries(fields).map(([name, value]) => [name, ruleValue(value)]));
}

function ruleValue(value: Value): RuleValue {
  const number = getNumber(value);
  if (number !== undefined) return number;
  if ('booleanValue' in value) return value.booleanValue;
  if ('stringValue' in value) return value.stringValue;
  if ('timestampValue' in value) return new Timestamp(parseTime(value.timestampValue, 'value'));
  if ('bytesValue' in value) return new Bytes(Buffer.from(value.bytesValue, 'base64'));
  if ('referenceValue' in value) return new Path(value.referenceValue.split('/').slice(2));
  if ('geoPointValue' in value) return new LatLng(value.geoPointValue.latitude, value.geoPointValue.longitude);
  if ('arrayValue' in value) return getElements(value).map(ruleValue);
  return 'mapValue' in value ? toMap(getFields(value)) : null;
}

function hasEqual(map: RuleMap, key: string, wanted: RuleValue): boolean {
  const found = map.get(key);
  return found !== undefined && equal(found, wanted);
}
