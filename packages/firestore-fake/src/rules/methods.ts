import { EvaluationError, type Position } from './errors.ts';
import { compilePattern } from './functions.ts';
import {
  Bytes,
  equal,
  includes,
  isList,
  isMap,
  MapDiff,
  nameType,
  type RuleMap,
  RuleSet,
  type RuleValue,
  Timestamp,
} from './values.ts';

type Method = (object: RuleValue, args: readonly RuleValue[], at: Position) => RuleValue;

/** The methods of all types with their number of arguments. */
export const METHOD_TABLE: ReadonlyMap<string, { readonly arity: number; readonly call: Method }> = new Map<
  string,
  { arity: number; call: Method }
>([
  ['size', { arity: 0, call: (object) => BigInt(getSize(object)) }],
  ['keys', { arity: 0, call: (object) => [...expectMap(object, 'keys').keys()] }],
  ['get', { arity: 2, call: (object, [key, other]) => lookUp(expectMap(object, 'get'), key ?? null, other ?? null) }],
  [
    'diff',
    { arity: 1, call: (object, [other]) => new MapDiff(expectMap(object, 'diff'), expectMap(other ?? null, 'diff')) },
  ],
  ['affectedKeys', { arity: 0, call: affectedKeys }],
  [
    'hasOnly',
    {
      arity: 1,
      call: (object, [other]) => {
        const allowed = expectItems(other ?? null, 'hasOnly');
        return expectItems(object, 'hasOnly').every((item) => includes(allowed, item));
      },
    },
  ],
  [
    'matches',
    {
      arity: 1,
      call: (object, [pattern], at) =>
        compilePattern(expectText(pattern, 'matches'), at).matches(expectText(object, 'matches')),
    },
  ],
  // Firestore changes ASCII letters only.
  [
    'lower',
    { arity: 0, call: (object) => expectText(object, 'lower').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) },
  ],
  // Firestore returns upper case, so comparing with a lower-case digest needs `.lower()`.
  ['toHexString', { arity: 0, call: (object) => expectBytes(object, 'toHexString').toString('hex').toUpperCase() }],
  ['toMillis', { arity: 0, call: (object) => expectTime(object) / 1000n }],
]);

/** The number of UTF-16 code units, entries or bytes. */
function getSize(value: RuleValue): number {
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

function expectItems(value: RuleValue, method: string): readonly RuleValue[] {
  if (value instanceof RuleSet) return value.items;
  if (isList(value)) return value;
  throw wrongType(method, value);
}

function expectMap(value: RuleValue, method: string): RuleMap {
  if (isMap(value)) return value;
  throw wrongType(method, value);
}

function expectText(value: RuleValue | undefined, method: string): string {
  if (typeof value === 'string') return value;
  throw wrongType(method, value ?? null);
}

function expectBytes(value: RuleValue, method: string): Bytes['bytes'] {
  if (value instanceof Bytes) return value.bytes;
  throw wrongType(method, value);
}

function expectTime(value: RuleValue): bigint {
  if (value instanceof Timestamp) return value.micros;
  throw wrongType('toMillis', value);
}

function wrongType(method: string, value: RuleValue): EvaluationError {
  return new EvaluationError(`${method} is not defined for ${nameType(value)}`);
}
