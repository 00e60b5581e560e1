import { compareNumbers, equalValues } from '../data/compare.ts';
import { withField } from '../data/field-path.ts';
import { formatTime, type Micros } from '../data/time.ts';
import {
  array,
  clampInteger,
  double,
  findValue,
  getElements,
  getNumber,
  integer,
  type MapFields,
  type Value,
} from '../data/value.ts';
import type { Transform } from './write.ts';

export interface Transformed {
  readonly fields: MapFields;
  /** One result per transform; null for array transforms. */
  readonly results: readonly Value[];
}

/** Applies the transforms in order, each to the result of the previous one. */
export function transformFields(fields: MapFields, transforms: readonly Transform[], requestTime: Micros): Transformed {
  const results: Value[] = [];
  let current = fields;
  for (const transform of transforms) {
    const value = transformed(findValue(current, transform.path), transform, requestTime);
    current = withField(current, transform.path, value);
    results.push('arrayValue' in value ? { nullValue: null } : value);
  }
  return { fields: current, results };
}

function transformed(current: Value | undefined, transform: Transform, requestTime: Micros): Value {
  switch (transform.kind) {
    case 'serverTime':
      return { timestampValue: formatTime(requestTime) };
    case 'increment':
      return incremented(current, transform.operand);
    case 'maximum':
      return furthest(current, transform.operand, 1);
    case 'minimum':
      return furthest(current, transform.operand, -1);
    case 'append':
      return array(appended(getList(current), transform.elements));
    case 'remove':
      return array(getList(current).filter((element) => !contains(transform.elements, element)));
  }
}

/** A field that is not a number counts as absent. Integers saturate at 64 bits. */
function incremented(current: Value | undefined, operand: Value): Value {
  const [base, step] = [getNumber(current), getNumber(operand)];
  if (base === undefined || step === undefined) return operand;
  if (typeof base === 'bigint' && typeof step === 'bigint') return integer(clampInteger(base + step));
  return double(Number(base) + Number(step));
}

/** If an integer and a double are equal, the field is not changed. NaN wins over every number. */
function furthest(current: Value | undefined, operand: Value, direction: 1 | -1): Value {
  const [base, candidate] = [getNumber(current), getNumber(operand)];
  if (current === undefined || base === undefined || candidate === undefined) return operand;
  if (Number.isNaN(base)) return current;
  if (Number.isNaN(candidate)) return operand;
  return compareNumbers(candidate, base) * direction > 0 ? operand : current;
}

function getList(value: Value | undefined): readonly Value[] {
  return value !== undefined && 'arrayValue' in value ? getElements(value) : [];
}

function appended(list: readonly Value[], elements: readonly Value[]): readonly Value[] {
  const result = [...list];
  for (const element of elements) {
    if (!contains(result, element)) result.push(element);
  }
  return result;
}

function contains(list: readonly Value[], value: Value): boolean {
  return list.some((element) => equalValues(element, value));
}
