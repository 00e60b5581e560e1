import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { RE2JS } from 're2js';
import { EvaluationError, type Position, UnknownConstruct } from './errors.ts';
import { Bytes, Duration, nameType, type RuleValue } from './values.ts';

interface Builtin {
  readonly arity: number;
  readonly call: (args: readonly RuleValue[]) => RuleValue;
}

/** Functions that only depend on their arguments, including their namespace. */
export const FUNCTION_TABLE: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['hashing.sha256', { arity: 1, call: ([value]) => digest(value ?? null) }],
  ['duration.value', { arity: 2, call: ([magnitude, unit]) => duration(magnitude ?? null, unit ?? null) }],
]);

/** Functions that read a document as it was before the request. */
export const DOCUMENT_FUNCTIONS = ['get', 'exists'] as const;

export const NAMESPACES: readonly string[] = ['hashing', 'duration'];

const MICROS_OF_UNIT: ReadonlyMap<RuleValue, bigint> = new Map<RuleValue, bigint>([
  ['w', 604_800_000_000n],
  ['d', 86_400_000_000n],
  ['h', 3_600_000_000n],
  ['m', 60_000_000n],
  ['s', 1_000_000n],
  ['ms', 1_000n],
]);

/** Ten thousand years of 365.25 days. */
const MAX_MICROS = 315_576_000_000_000_000n;

function digest(value: RuleValue): Bytes {
  const content = value instanceof Bytes ? value.bytes : value;
  if (typeof content !== 'string' && !Buffer.isBuffer(content)) {
    throw new EvaluationError(`hashing is not defined for ${nameType(value)}`);
  }
  return new Bytes(createHash('sha256').update(content).digest());
}

function duration(magnitude: RuleValue, unit: RuleValue): Duration {
  const micros = MICROS_OF_UNIT.get(unit);
  if (typeof magnitude !== 'bigint' || micros === undefined) {
    throw new EvaluationError('duration.value() takes a whole number and one of w, d, h, m, s, ms');
  }
  const result = magnitude * micros;
  if (result > MAX_MICROS || result < -MAX_MICROS) throw new EvaluationError('the duration is too long');
  return new Duration(result);
}

const patterns = new Map<string, RE2JS>();

/** Compiles a pattern in RE2 syntax. Throws for anything RE2 lacks, such as lookahead and back-references. */
export function compilePattern(pattern: string, at: Position): RE2JS {
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
