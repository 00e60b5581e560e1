import { EvaluationError, type Position, UnknownConstruct } from './errors.ts';
import { regexOf } from './functions.ts';
import {
  Bytes,
  Duration,
  equal,
  includes,
  isList,
  isMap,
  MapDiff,
  type RuleMap,
  RuleSet,
  type RuleValue,
  Timestamp,
  typeOf,
} from './values.ts';

type Method = (object: RuleValue, args: readonly RuleValue[], at: Position) => RuleValue;

/** The methods of all types with their number of arguments. */
export const METHOD_TABLE: ReadonlyMap<string, { readonly arity: number; readonly call: Method }> = new Map<
  string,
  { arity: number; call: Method }
>([
  ['size', { arity: 0, call: (object) => BigInt(sizeOf(object)) }],
  ['keys', { arity: 0, call: (object) => [...mapIn(object, 'keys').keys()] }],
  ['values', { arity: 0, call: (object) => [...mapIn(object, 'values').values()] }],
  ['get', { arity: 2, call: (object, [key, other]) => lookUp(mapIn(object, 'get'), key ?? null, other ?? null) }],
  ['diff', { arity: 1, call: (object, [other]) => new MapDiff(mapIn(object, 'diff'), mapIn(other ?? null, 'diff')) }],
  ['addedKeys', { arity: 0, call: (object) => diffKeys(object, (after, before) => after && !before) }],
  ['removedKeys', { arity: 0, call: (object) => diffKeys(object, (after, before) => !after && before) }],
  ['changedKeys', { arity: 0, call: (object) => diffKeys(object, (after, before, same) => after && before && !same) }],
  ['unchangedKeys', { arity: 0, call: (object) => diffKeys(object, (_after, _before, same) => same) }],
  ['affectedKeys', { arity: 0, call: (object) => diffKeys(object, (_after, _before, same) => !same) }],
  [
    'hasAny',
    { arity: 1, call: (object, [other]) => anyIn(itemsIn(object, 'hasAny'), itemsIn(other ?? null, 'hasAny')) },
  ],
  [
    'hasAll',
    { arity: 1, call: (object, [other]) => allIn(itemsIn(other ?? null, 'hasAll'), itemsIn(object, 'hasAll')) },
  ],
  [
    'hasOnly',
    { arity: 1, call: (object, [other]) => allIn(itemsIn(object, 'hasOnly'), itemsIn(other ?? null, 'hasOnly')) },
  ],
  ['toSet', { arity: 0, call: (object) => new RuleSet(itemsIn(object, 'toSet')) }],
  [
    'matches',
    {
      arity: 1,
      call: (object, [pattern], at) => regexOf(textIn(pattern, 'matches'), at).matches(textIn(object, 'matches')),
    },
  ],
  [
    'replace',
    {
      arity: 2,
      call: (object, [pattern, other], at) =>
        regexOf(textIn(pattern, 'replace'), at)
          .matcher(textIn(object, 'replace'))
          .replaceAll(plainReplacement(textIn(other, 'replace'), at)),
    },
  ],
  [
    'split',
    { arity: 1, call: (object, [pattern], at) => regexOf(textIn(pattern, 'split'), at).split(textIn(object, 'split')) },
  ],
  ['lower', { arity: 0, call: (object) => textIn(object, 'lower').toLowerCase() }],
  ['upper', { arity: 0, call: (object) => textIn(object, 'upper').toUpperCase() }],
  ['trim', { arity: 0, call: (object) => textIn(object, 'trim').trim() }],
  // Firestore returns upper case, so comparing with a lower-case digest needs `.lower()`.
  ['toHexString', { arity: 0, call: (object) => bytesIn(object, 'toHexString').toString('hex').toUpperCase() }],
  ['toBase64', { arity: 0, call: (object) => bytesIn(object, 'toBase64').toString('base64') }],
  ['toMillis', { arity: 0, call: (object) => timeIn(object) / 1000n }],
  ['seconds', { arity: 0, call: (object) => durationIn(object) / 1_000_000n }],
]);

/** The number of code points, entries or bytes. */
function sizeOf(value: RuleValue): number {
  if (typeof value === 'string') return [...value].length;
  if (isList(value)) return value.length;
  if (isMap(value)) return value.size;
  if (value instanceof RuleSet) return value.items.length;
  if (value instanceof Bytes) return value.bytes.length;
  throw wrongType('size', value);
}

/** `get(key, default)`. A list of keys reads nested maps. */
function lookUp(map: RuleMap, key: RuleValue, other: RuleValue): RuleValue {
  const keys = isList(key) ? key : [key];
  let current: RuleValue = map;
  for (const name of keys) {
    if (typeof name !== 'string') throw wrongType('get', name);
    if (!isMap(current)) return other;
    const found: RuleValue | undefined = current.get(name);
    if (found === undefined) return other;
    current = found;
  }
  return current;
}

function diffKeys(value: RuleValue, wanted: (after: boolean, before: boolean, same: boolean) => boolean): RuleSet {
  if (!(value instanceof MapDiff)) throw wrongType('a method of diff()', value);
  const { after, before } = value;
  const keys = new Set([...after.keys(), ...before.keys()]);
  return new RuleSet(
    [...keys].filter((key) => {
      const [one, other] = [after.get(key), before.get(key)];
      return wanted(
        one !== undefined,
        other !== undefined,
        one !== undefined && other !== undefined && equal(one, other),
      );
    }),
  );
}

function anyIn(items: readonly RuleValue[], wanted: readonly RuleValue[]): boolean {
  return wanted.some((item) => includes(items, item));
}

function allIn(items: readonly RuleValue[], allowed: readonly RuleValue[]): boolean {
  return items.every((item) => includes(allowed, item));
}

function itemsIn(value: RuleValue, method: string): readonly RuleValue[] {
  if (value instanceof RuleSet) return value.items;
  if (isList(value)) return value;
  throw wrongType(method, value);
}

function mapIn(value: RuleValue, method: string): RuleMap {
  if (isMap(value)) return value;
  throw wrongType(method, value);
}

function textIn(value: RuleValue | undefined, method: string): string {
  if (typeof value === 'string') return value;
  throw wrongType(method, value ?? null);
}

/** How a replacement refers to groups is not documented. */
function plainReplacement(text: string, at: Position): string {
  if (/[\\$]/.test(text)) throw new UnknownConstruct('replace() with groups is not supported', at);
  return text;
}

function bytesIn(value: RuleValue, method: string): Bytes['bytes'] {
  if (value instanceof Bytes) return value.bytes;
  throw wrongType(method, value);
}

function timeIn(value: RuleValue): bigint {
  if (value instanceof Timestamp) return value.micros;
  throw wrongType('toMillis', value);
}

function durationIn(value: RuleValue): bigint {
  if (value instanceof Duration) return value.micros;
  throw wrongType('seconds', value);
}

function wrongType(method: string, value: RuleValue): EvaluationError {
  return new EvaluationError(`${method} is not defined for ${typeOf(value)}`);
}
