import { RE2JS } from 're2js';
import { type Position, UnknownConstruct } from './errors.ts';

const cache = new Map<string, RE2JS>();

/** A pattern in RE2's syntax; what RE2 lacks, such as lookahead and back-references, is refused. */
export function regexOf(pattern: string, at: Position): RE2JS {
  const cached = cache.get(pattern);
  if (cached !== undefined) return cached;
  try {
    const compiled = RE2JS.compile(pattern);
    cache.set(pattern, compiled);
    return compiled;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UnknownConstruct(`RE2 refuses the pattern ${pattern}: ${why}`, at);
  }
}
