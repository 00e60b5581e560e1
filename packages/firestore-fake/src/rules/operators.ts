import { clampInteger } from '../data/value.ts';
import type { BinaryOperator } from './ast.ts';
import { EvaluationError } from './errors.ts';
import {
  Duration,
  equal,
  includes,
  isList,
  isMap,
  isNumber,
  nameType,
  RuleSet,
  type RuleValue,
  Timestamp,
} from './values.ts';

/** Applies an operator. Throws `EvaluationError` if it is not defined for the types. */
export function operate(operator: BinaryOperator, left: RuleValue, right: RuleValue): RuleValue {
  switch (operator) {
    case '==':
      return equal(left, right);
    case '!=':
      return !equal(left, right);
    case '<':
      return compare(left, right) < 0;
    case '<=':
      return compare(left, right) <= 0;
    case '>':
      return compare(left, right) > 0;
    case '>=':
      return compare(left, right) >= 0;
    case 'in':
      return containsValue(left, right);
    default:
      return calculate(operator, left, right);
  }
}

export function negate(value: RuleValue): RuleValue {
  if (typeof value === 'number') return -value;
  if (typeof value === 'bigint') return inRange(-value);
  throw new EvaluationError(`- is not defined for ${nameType(value)}`);
}

/** Returns NaN for comparisons with NaN, so that all of them are false. */
function compare(left: RuleValue, right: RuleValue): number {
  if (isNumber(left) && isNumber(right))
    return left < right ? -1 : left > right ? 1 : equal(left, right) ? 0 : Number.NaN;
  // Firestore compares UTF-16 code units here, unlike in queries.
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right);
  const times = left instanceof Timestamp && right instanceof Timestamp;
  if (times || (left instanceof Duration && right instanceof Duration)) {
    return left.micros < right.micros ? -1 : left.micros > right.micros ? 1 : 0;
  }
  throw new EvaluationError(`cannot compare ${nameType(left)} with ${nameType(right)}`);
}

function containsValue(left: RuleValue, right: RuleValue): boolean {
  if (isList(right)) return includes(right, left);
  if (right instanceof RuleSet) return includes(right.items, left);
  if (isMap(right) && typeof left === 'string') return right.has(left);
  throw new EvaluationError(`"in" is not defined for ${nameType(left)} and ${nameType(right)}`);
}

function calculate(operator: '+' | '-' | '*' | '/' | '%', left: RuleValue, right: RuleValue): RuleValue {
  if (typeof left === 'bigint' && typeof right === 'bigint') return inRange(wholeResult(operator, left, right));
  if (isNumber(left) && isNumber(right)) return floatResult(operator, Number(left), Number(right));
  if (operator === '+' && typeof left === 'string' && typeof right === 'string') return left + right;
  const time = operator === '+' || operator === '-' ? timeResult(operator, left, right) : undefined;
  if (time !== undefined) return time;
  throw new EvaluationError(`${operator} is not defined for ${nameType(left)} and ${nameType(right)}`);
}

function wholeResult(operator: '+' | '-' | '*' | '/' | '%', left: bigint, right: bigint): bigint {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  if (right === 0n) throw new EvaluationError('division by zero');
  return operator === '/' ? left / right : left % right;
}

function floatResult(operator: '+' | '-' | '*' | '/' | '%', left: number, right: number): number {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  return operator === '/' ? left / right : left % right;
}

function timeResult(operator: '+' | '-', left: RuleValue, right: RuleValue): RuleValue | undefined {
  const sign = operator === '+' ? 1n : -1n;
  if (right instanceof Duration) {
    if (left instanceof Timestamp) return new Timestamp(left.micros + sign * right.micros);
    if (left instanceof Duration) return new Duration(left.micros + sign * right.micros);
  }
  if (operator === '+' && left instanceof Duration && right instanceof Timestamp) {
    return new Timestamp(left.micros + right.micros);
  }
  if (operator === '-' && left instanceof Timestamp && right instanceof Timestamp) {
    return new Duration(left.micros - right.micros);
  }
  return undefined;
}

function inRange(value: bigint): bigint {
  if (clampInteger(value) !== value) throw new EvaluationError('the result does not fit into 64 bits');
  return value;
}
