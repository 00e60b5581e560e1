import { EvaluationError, type Position } from './errors.ts';
import { regexOf } from './functions.ts';
import {
  Bytes,
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
  ['get', { arity: 2, call: (object, [key, other]) => lookUp(mapIn(object, 'get'), key ?? null, other ?? null) }],
  ['diff', { arity: 1, call: (object, [other]) => new MapDiff(mapIn(object, 'diff'), mapIn(other ?? null, 'diff')) }],
  ['affectedKeys', { arity: 0, call: affectedKeys }],
  [
    'hasOnly',
    {
      arity: 1,
      call: (object, [other]) => {
        const allowed = itemsIn(other ?? null, 'hasOnly');
        return itemsIn(object, 'hasOnly').every((item) => includes(allowed, item));
      },
    },
  ],
  [
    'matches',
    {
      arity: 1,
      call: (object, [pattern], at) => regexOf(textIn(pattern, 'matches'), at).matches(textIn(object, 'matches')),
    },
  ],
  // Firestore changes ASCII letters only.
  [
    'lower',
    { arity: 0, call: (object) => textIn(object, 'lower').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) },
  ],
  // Firestore returns upper case, so comparing with a lower-case digest needs `.lower()`.
  ['toHexString', { arity: 0, call: (object) => bytesIn(object, 'toHexString').toString('hex').toUpperCase() }],
  ['toMillis', { arity: 0, call: (object) => timeIn(object) / 1000n }],
]);

/** The number of UTF-16 code units, entries or bytes. */
function sizeOf(value: RuleValue): number {
  if (typeof value === 'string') return value.length;
  if (isList(value)) return value.length;
  if (isMap(value)) return value.size;
  if (value instanceof RuleSet) return value.items.length;
  if (value instanceof Bytes) return value.bytes.length;
  throw wrongType('size', value);
}

/** `get(key, default)` */
function lookUp(map: RuleMap, key: RuleValue, other: RuleValue): RuleValue {
  if (typeof key !== 'string') throw wrongType('get', key);
  const found = map.get(key);
  return found === undefined ? other : found;
}

/** The keys that only one of the maps has, and those with different values. */
function affectedKeys(value: RuleValue): RuleSet {
  if (!(value instanceof MapDiff)) throw wrongType('affectedKeys', value);
  const { after, before } = value;
  const isSame = (key: string) => equal(after.get(key) ?? null, before.get(key) ?? null);
  return new RuleSet(
    [...new Set([...after.keys(), ...before.keys()])].filter(
      (key) => !(after.has(key) && before.has(key) && isSame(key)),
    ),
  );
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

function bytesIn(value: RuleValue, method: string): Bytes['bytes'] {
  if (value instanceof Bytes) return value.bytes;
  throw wrongType(method, value);
}

function timeIn(value: RuleValue): bigint {
  if (value instanceof Timestamp) return value.micros;
  throw wrongType('toMillis', value);
}

function wrongType(method: string, value: RuleValue): EvaluationError {
  return new EvaluationError(`${method} is not defined for ${typeOf(value)}`);
}
