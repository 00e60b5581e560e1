import { Buffer } from 'node:buffer';
import type { Allow, MatchBlock, Method, PatternSegment } from './ast.ts';
import { checkBlock } from './check.ts';
import { EvaluationError } from './errors.ts';
import { type DefinedFunction, type Scope, truth } from './evaluate.ts';
import { parseFile } from './parser.ts';
import { Path, type RuleValue } from './values.ts';

/** An access to check. */
interface RulesRequest {
  readonly method: Method;
  /** Starts with `databases`. Undefined for an unknown id, as in a query. */
  readonly path: readonly (string | undefined)[];
  /** `request` and `resource`. */
  readonly variables: ReadonlyMap<string, () => RuleValue>;
  readonly readDocument: Scope['readDocument'];
  /** Called if a condition of a query uses the id of a document. */
  readonly unknownId: () => RuleValue;
}

type Decision = { readonly allowed: true } | { readonly allowed: false; readonly reasons: readonly string[] };

export interface Rules {
  /** Whether any `allow` of the method holds. Throws `UnknownConstruct` if Firestore's result is not documented. */
  decide(request: RulesRequest): Decision;
}

/** The limits that Google documents. Every part of an expression counts, because it is not documented which ones do. */
const MAX_RULES_BYTES = 256 * 1024;
const MAX_EXPRESSIONS = 1_000;

/** Parses the text of a `firestore.rules`. Throws, with line and column, for anything unknown. */
export function parseRules(text: string): Rules {
  if (Buffer.byteLength(text) > MAX_RULES_BYTES) throw new RangeError('the rules have more than 256 KB');
  const service = parseFile(text);
  checkBlock(service);
  return {
    decide(request) {
      let expressions = 0;
      const countExpression = () => {
        expressions += 1;
        if (expressions > MAX_EXPRESSIONS) throw new EvaluationError(`more than ${MAX_EXPRESSIONS} expressions`);
      };
      const { variables, readDocument } = request;
      const root = { variables, functions: new Map(), readDocument, countExpression };
      const reasons: string[] = [];
      for (const { allow, scope } of findAllows(service, request.path, root, request.unknownId)) {
        if (!allow.methods.includes(request.method)) continue;
        const reason = findRefusal(allow, scope);
        if (reason === undefined) return { allowed: true };
        reasons.push(`line ${allow.at.line}: ${reason}`);
      }
      return { allowed: false, reasons };
    },
  };
}

function findRefusal(allow: Allow, scope: Scope): string | undefined {
  if (allow.condition === undefined) return undefined;
  try {
    return truth(allow.condition, scope) ? undefined : 'the condition is false';
  } catch (error) {
    if (error instanceof EvaluationError) return error.message;
    throw error;
  }
}

interface Applicable {
  readonly allow: Allow;
  readonly scope: Scope;
}

/** The `allow` statements of all blocks that match the whole path, for every way to match their wildcards. */
function findAllows(
  block: MatchBlock,
  path: RulesRequest['path'],
  outer: Scope,
  unknownId: () => RuleValue,
): readonly Applicable[] {
  return readings(block.pattern, path, unknownId).flatMap(({ bound, rest }) => {
    const scope = innerScope(block, outer, bound);
    const own = rest.length === 0 ? block.allows.map((allow) => ({ allow, scope })) : [];
    return [...own, ...block.matches.flatMap((inner) => findAllows(inner, rest, scope, unknownId))];
  });
}

function innerScope(block: MatchBlock, outer: Scope, bound: ReadonlyMap<string, () => RuleValue>): Scope {
  const functions = new Map<string, DefinedFunction>(outer.functions);
  const scope: Scope = { ...outer, variables: new Map([...outer.variables, ...bound]), functions };
  for (const definition of block.functions) functions.set(definition.name, { definition, scope: () => scope });
  return scope;
}

interface Reading {
  readonly bound: ReadonlyMap<string, () => RuleValue>;
  readonly rest: RulesRequest['path'];
}

function readings(
  pattern: readonly PatternSegment[],
  path: RulesRequest['path'],
  unknownId: () => RuleValue,
): readonly Reading[] {
  const [segment, ...others] = pattern;
  if (segment === undefined) return [{ bound: new Map(), rest: path }];
  const lengths =
    segment.kind === 'many' ? path.map((_, index) => index).concat(path.length) : path.length > 0 ? [1] : [];
  return lengths.flatMap((length) => {
    const taken = path.slice(0, length);
    if (segment.kind === 'literal' && taken[0] !== segment.text) return [];
    return readings(others, path.slice(length), unknownId).map(({ bound, rest }) => {
      if (segment.kind === 'literal') return { bound, rest };
      return { bound: new Map([[segment.name, () => binding(segment.kind, taken, unknownId)], ...bound]), rest };
    });
  });
}

function binding(kind: 'one' | 'many', taken: RulesRequest['path'], unknownId: () => RuleValue): RuleValue {
  const known = taken.filter((segment) => segment !== undefined);
  if (known.length < taken.length) return unknownId();
  return kind === 'many' ? new Path(known) : (known[0] ?? '');
}
