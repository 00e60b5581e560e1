import type { Expression, FunctionDefinition, MatchBlock } from './ast.ts';
import { type Position, UnknownConstruct } from './errors.ts';
import { compilePattern, DOCUMENT_FUNCTIONS, FUNCTION_TABLE, NAMESPACES } from './functions.ts';
import { METHOD_TABLE } from './methods.ts';
import { TYPES } from './values.ts';

/** The variables and functions that are visible to an expression. */
interface Scope {
  readonly variables: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
}

const REQUEST_MEMBERS = ['auth', 'method', 'path', 'resource', 'time'];

/** Throws, with the position, for anything in the rules that cannot be evaluated. */
export function checkBlock(
  block: MatchBlock,
  outer: Scope = { variables: new Set(['request', 'resource']), functions: new Map() },
): void {
  const functions = new Map(outer.functions);
  for (const definition of block.functions) {
    if (functions.get(definition.name) !== outer.functions.get(definition.name)) {
      throw new UnknownConstruct(`the function ${definition.name} is defined twice`, definition.at);
    }
    functions.set(definition.name, definition);
  }
  const wildcards = block.pattern.flatMap((segment) => (segment.kind === 'literal' ? [] : [segment.name]));
  const scope = { variables: new Set([...outer.variables, ...wildcards]), functions };
  for (const definition of block.functions) {
    checkFunction(definition, scope);
    checkRecursion(definition, scope, []);
  }
  for (const { condition } of block.allows) if (condition !== undefined) checkExpression(condition, scope);
  for (const inner of block.matches) checkBlock(inner, scope);
}

function checkFunction(definition: FunctionDefinition, scope: Scope): void {
  checkExpression(definition.result, {
    ...scope,
    variables: new Set([...scope.variables, ...definition.parameters]),
  });
}

function checkRecursion(definition: FunctionDefinition, scope: Scope, callers: readonly string[]): void {
  if (callers.includes(definition.name)) {
    throw new UnknownConstruct(`the function ${definition.name} calls itself`, definition.at);
  }
  for (const name of new Set(listCalls(definition.result))) {
    const inner = scope.functions.get(name);
    if (inner !== undefined) checkRecursion(inner, scope, [...callers, definition.name]);
  }
}

function checkExpression(expression: Expression, scope: Scope): void {
  const { at } = expression;
  if (expression.kind === 'name' && !scope.variables.has(expression.name)) {
    throw new UnknownConstruct(`unknown name ${expression.name}`, at);
  }
  if (expression.kind === 'is' && !TYPES.some((type) => type === expression.type)) {
    throw new UnknownConstruct(`unknown type ${expression.type}`, at);
  }
  if (expression.kind === 'member') checkMember(expression.object, expression.name, at);
  if (expression.kind === 'call') checkCall(expression.name, expression.args.length, scope, at);
  if (expression.kind === 'method') {
    checkMethod(expression.object, expression.name, expression.args, at, scope);
    // A namespace is not a value; only its functions can be used.
    if (isNamespace(expression.object, scope)) {
      for (const arg of expression.args) checkExpression(arg, scope);
      return;
    }
  }
  for (const part of listParts(expression)) checkExpression(part, scope);
}

function checkMember(object: Expression, name: string, at: Position): void {
  const ofRequest = object.kind === 'name' && object.name === 'request';
  if (ofRequest && !REQUEST_MEMBERS.includes(name)) throw new UnknownConstruct(`unknown member request.${name}`, at);
}

function checkCall(name: string, args: number, scope: Scope, at: Position): void {
  const known = scope.functions.get(name)?.parameters.length ?? FUNCTION_TABLE.get(name)?.arity;
  const arity = known ?? (DOCUMENT_FUNCTIONS.some((candidate) => candidate === name) ? 1 : undefined);
  if (arity === undefined) throw new UnknownConstruct(`unknown function ${name}`, at);
  if (arity !== args) throw new UnknownConstruct(`${name} takes ${arity} arguments, not ${args}`, at);
}

function checkMethod(object: Expression, name: string, args: readonly Expression[], at: Position, scope: Scope): void {
  const full = isNamespace(object, scope) ? `${object.name}.${name}` : name;
  const method = isNamespace(object, scope) ? FUNCTION_TABLE.get(full) : METHOD_TABLE.get(name);
  if (method === undefined) throw new UnknownConstruct(`unknown method ${full}`, at);
  if (method.arity !== args.length) {
    throw new UnknownConstruct(`${full} takes ${method.arity} arguments, not ${args.length}`, at);
  }
  const [pattern] = args;
  if (name === 'matches' && pattern?.kind === 'literal' && typeof pattern.value === 'string') {
    compilePattern(pattern.value, pattern.at);
  }
}

function isNamespace(object: Expression, scope: Scope): object is Extract<Expression, { kind: 'name' }> {
  return object.kind === 'name' && NAMESPACES.includes(object.name) && !scope.variables.has(object.name);
}

function listCalls(expression: Expression): readonly string[] {
  const inner = listParts(expression).flatMap(listCalls);
  return expression.kind === 'call' ? [expression.name, ...inner] : inner;
}

function listParts(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'name':
      return [];
    case 'list':
      return expression.items;
    case 'map':
      return expression.entries.map(([, value]) => value);
    case 'path':
      return expression.segments.filter((segment) => typeof segment !== 'string');
    case 'unary':
    case 'is':
      return [expression.operand];
    case 'and':
    case 'or':
    case 'binary':
      return [expression.left, expression.right];
    case 'member':
      return [expression.object];
    case 'index':
      return [expression.object, expression.key];
    case 'call':
      return expression.args;
    case 'method':
      return [expression.object, ...expression.args];
  }
}
