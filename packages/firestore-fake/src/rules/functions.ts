import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { RE2JS } from 're2js';
import { clampInteger } from '../data/value.ts';
import { EvaluationError, type Position, UnknownConstruct } from './errors.ts';
import { Bytes, Duration, isNumber, Path, type RuleValue, Timestamp, typeOf } from './values.ts';

interface Builtin {
  readonly arity: number;
  readonly call: (args: readonly RuleValue[]) => RuleValue;
}

/** Functions that only depend on their arguments, including their namespace. */
export const FUNCTION_TABLE: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['int', { arity: 1, call: ([value]) => toInt(value ?? null) }],
  ['float', { arity: 1, call: ([value]) => toFloat(value ?? null) }],
  ['string', { arity: 1, call: ([value]) => toText(value ?? null) }],
  ['hashing.sha256', { arity: 1, call: ([value]) => digest('sha256', value ?? null) }],
  ['hashing.md5', { arity: 1, call: ([value]) => digest('md5', value ?? null) }],
  ['duration.value', { arity: 2, call: ([magnitude, unit]) => duration(magnitude ?? null, unit ?? null) }],
  ['timestamp.value', { arity: 1, call: ([millis]) => timestamp(millis ?? null) }],
]);

/** Functions that read a document before or after the request. */
export const DOCUMENT_FUNCTIONS = ['get', 'exists', 'getAfter', 'existsAfter'] as const;

export const NAMESPACES: readonly string[] = ['hashing', 'duration', 'timestamp'];

const MICROS_OF_UNIT: ReadonlyMap<RuleValue, bigint> = new Map<RuleValue, bigint>([
  ['w', 604_800_000_000n],
  ['d', 86_400_000_000n],
  ['h', 3_600_000_000n],
  ['m', 60_000_000n],
  ['s', 1_000_000n],
  ['ms', 1_000n],
]);

function toInt(value: RuleValue): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return fitting(BigInt(Math.trunc(value)));
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return fitting(BigInt(value));
  throw new EvaluationError(`int() is not defined for this ${typeOf(value)}`);
}

function toFloat(value: RuleValue): number {
  if (isNumber(value)) return Number(value);
  if (typeof value === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value)) return Number(value);
  throw new EvaluationError(`float() is not defined for this ${typeOf(value)}`);
}

function toText(value: RuleValue): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Path) return `/${value.segments.join('/')}`;
  throw new EvaluationError(`string() is not defined for ${typeOf(value)}`);
}

function digest(algorithm: 'sha256' | 'md5', value: RuleValue): Bytes {
  const content = value instanceof Bytes ? value.bytes : value;
  if (typeof content !== 'string' && !Buffer.isBuffer(content)) {
    throw new EvaluationError(`hashing is not defined for ${typeOf(value)}`);
  }
  return new Bytes(createHash(algorithm).update(content).digest());
}

function duration(magnitude: RuleValue, unit: RuleValue): Duration {
  const micros = MICROS_OF_UNIT.get(unit);
  if (typeof magnitude !== 'bigint' || micros === undefined) {
    throw new EvaluationError('duration.value() takes a whole number and one of w, d, h, m, s, ms');
  }
  return new Duration(magnitude * micros);
}

function timestamp(millis: RuleValue): Timestamp {
  if (typeof millis !== 'bigint') throw new EvaluationError('timestamp.value() takes whole milliseconds');
  return new Timestamp(millis * 1000n);
}

function fitting(value: bigint): bigint {
  if (clampInteger(value) !== value) throw new EvaluationError('the number does not fit into 64 bits');
  return value;
}

const patterns = new Map<string, RE2JS>();

/** Compiles a pattern in RE2 syntax. Throws for anything RE2 lacks, such as lookahead and back-references. */
export function regexOf(pattern: string, at: Position): RE2JS {
  const cached = patterns.get(pattern);
  if (cached !== undefined) return cached;
  try {
    const compiled = RE2JS.compile(pattern);
    patterns.set(pattern, compiled);
    return compiled;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UnknownConstruct(`RE2 refuses the pattern ${pattern}: ${why}`, at);
  }
}
