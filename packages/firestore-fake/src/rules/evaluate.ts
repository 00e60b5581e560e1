import type { Expression, FunctionDefinition } from './ast.ts';
import { EvaluationError, UnknownConstruct } from './errors.ts';
import { FUNCTION_TABLE, NAMESPACES } from './functions.ts';
import { METHOD_TABLE } from './methods.ts';
import { negate, operate } from './operators.ts';
import { isList, isMap, isNumber, nameType, Path, type RuleValue } from './values.ts';

/** The variables and functions visible to an expression. Variables are evaluated lazily. */
export interface Scope {
  readonly variables: ReadonlyMap<string, () => RuleValue>;
  readonly functions: ReadonlyMap<string, DefinedFunction>;
  /** `get` and `exists` of a document's path. */
  readonly readDocument: (name: string, path: Path) => RuleValue;
  /** Called for each expression that is evaluated. Throws after too many. */
  readonly countExpression: () => void;
}

/** A function with the scope of its definition. */
export interface DefinedFunction {
  readonly definition: FunctionDefinition;
  readonly scope: () => Scope;
}

function evaluate(expression: Expression, scope: Scope): RuleValue {
  scope.countExpression();
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'name':
      return variable(expression.name, expression, scope);
    case 'list':
      return expression.items.map((item) => evaluate(item, scope));
    case 'map':
      return new Map(expression.entries.map(([key, value]) => [key, evaluate(value, scope)]));
    case 'path':
      return new Path(expression.segments.flatMap((segment) => pathSegment(segment, scope)));
    case 'unary':
      if (expression.operator === '-') return negate(evaluate(expression.operand, scope));
      return !truth(expression.operand, scope);
    case 'and':
      return joined(expression, false, scope);
    case 'or':
      return joined(expression, true, scope);
    case 'binary':
      return operate(expression.operator, evaluate(expression.left, scope), evaluate(expression.right, scope));
    case 'is':
      return isOfType(evaluate(expression.operand, scope), expression.type);
    case 'member':
      return member(evaluate(expression.object, scope), expression.name);
    case 'index':
      return indexed(evaluate(expression.object, scope), evaluate(expression.key, scope));
    case 'call':
      return called(expression, scope);
    case 'method':
      return methodCalled(expression, scope);
  }
}

/** Evaluates a condition, which must be true or false. */
export function truth(expression: Expression, scope: Scope): boolean {
  const value = evaluate(expression, scope);
  if (typeof value !== 'boolean') throw new EvaluationError(`expected true or false, found ${nameType(value)}`);
  return value;
}

/** Either operand decides alone if it has the deciding value, even if the other one fails. */
function joined(
  { left, right }: Extract<Expression, { kind: 'and' | 'or' }>,
  deciding: boolean,
  scope: Scope,
): boolean {
  let failure: EvaluationError | undefined;
  for (const operand of [left, right]) {
    try {
      if (truth(operand, scope) === deciding) return deciding;
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return !deciding;
}

function variable(name: string, expression: Expression, scope: Scope): RuleValue {
  const read = scope.variables.get(name);
  if (read === undefined) throw new UnknownConstruct(`unknown name ${name}`, expression.at);
  return read();
}

function pathSegment(segment: string | Expression, scope: Scope): readonly string[] {
  if (typeof segment === 'string') return [segment];
  const value = evaluate(segment, scope);
  if (value instanceof Path) return value.segments;
  if (value === null || ['string', 'bigint', 'number', 'boolean'].includes(typeof value)) {
    if (value !== '') return String(value).split('/');
  }
  throw new EvaluationError(`a path cannot hold ${nameType(value)}`);
}

function isOfType(value: RuleValue, type: string): boolean {
  // Firestore's `is` knows no set, not even for the keys of a difference.
  return type === 'number' ? isNumber(value) : type !== 'set' && nameType(value) === type;
}

function member(object: RuleValue, name: string): RuleValue {
  if (!isMap(object)) throw new EvaluationError(`${nameType(object)} has no member ${name}`);
  const value = object.get(name);
  if (value === undefined) throw new EvaluationError(`there is no ${name}`);
  return value;
}

function indexed(object: RuleValue, key: RuleValue): RuleValue {
  if (isMap(object) && typeof key === 'string') return member(object, key);
  const items = object instanceof Path ? object.segments : isList(object) || typeof object === 'string' ? object : [];
  const item = typeof key === 'bigint' ? items[Number(key)] : undefined;
  if (item === undefined) throw new EvaluationError(`${nameType(object)} has no entry ${String(key)}`);
  return item;
}

function called(expression: Extract<Expression, { kind: 'call' }>, scope: Scope): RuleValue {
  const args = expression.args.map((arg) => evaluate(arg, scope));
  const defined = scope.functions.get(expression.name);
  if (defined !== undefined) return definedResult(defined, args);
  const builtin = FUNCTION_TABLE.get(expression.name);
  if (builtin !== undefined) return builtin.call(args);
  const [path] = args;
  if (path instanceof Path) return scope.readDocument(expression.name, path);
  throw new EvaluationError(`${expression.name}() takes a path`);
}

function definedResult({ definition, scope }: DefinedFunction, args: readonly RuleValue[]): RuleValue {
  const outer = scope();
  const variables = new Map(outer.variables);
  for (const [place, name] of definition.parameters.entries()) variables.set(name, () => args[place] ?? null);
  return evaluate(definition.result, { ...outer, variables });
}

function methodCalled(expression: Extract<Expression, { kind: 'method' }>, scope: Scope): RuleValue {
  const { object, name, at } = expression;
  const args = expression.args.map((arg) => evaluate(arg, scope));
  if (object.kind === 'name' && NAMESPACES.includes(object.name) && !scope.variables.has(object.name)) {
    const builtin = FUNCTION_TABLE.get(`${object.name}.${name}`);
    if (builtin !== undefined) return builtin.call(args);
  }
  const method = METHOD_TABLE.get(name);
  if (method === undefined) throw new UnknownConstruct(`unknown method ${name}`, at);
  return method.call(evaluate(object, scope), args, at);
}
