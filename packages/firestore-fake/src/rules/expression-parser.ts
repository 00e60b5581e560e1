import { BINARY_OPERATORS, type BinaryOperator, type Expression } from './ast.ts';
import { UnknownConstruct } from './errors.ts';
import type { TokenReader } from './token-reader.ts';

/** Binary operators by ascending precedence. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '<=', '>', '>=', 'in', 'is'],
  ['+', '-'],
  ['*', '/', '%'],
];

export function parseExpression(tokens: TokenReader, level = 0): Expression {
  const operators = LEVELS[level];
  if (operators === undefined) return parseUnary(tokens);
  let left = parseExpression(tokens, level + 1);
  while (operators.some((operator) => tokens.sees(operator))) {
    const { text, at } = tokens.next();
    if (text === 'is') {
      left = { kind: 'is', operand: left, type: tokens.name('a type'), at };
      continue;
    }
    const right = parseExpression(tokens, level + 1);
    if (text === '&&' || text === '||') left = { kind: text === '&&' ? 'and' : 'or', left, right, at };
    else left = { kind: 'binary', operator: binaryOperator(text, tokens), left, right, at };
  }
  return left;
}

function binaryOperator(text: string, tokens: TokenReader): BinaryOperator {
  const operator = BINARY_OPERATORS.find((candidate) => candidate === text);
  if (operator === undefined) throw tokens.unexpected('an operator');
  return operator;
}

function parseUnary(tokens: TokenReader): Expression {
  const at = tokens.at;
  if (tokens.takes('!')) return { kind: 'unary', operator: '!', operand: parseUnary(tokens), at };
  if (tokens.takes('-')) return { kind: 'unary', operator: '-', operand: parseUnary(tokens), at };
  return parsePostfix(tokens, parsePrimary(tokens));
}

function parsePostfix(tokens: TokenReader, start: Expression): Expression {
  let object = start;
  while (true) {
    const at = tokens.at;
    if (tokens.takes('.')) {
      const name = tokens.name('the name of a member');
      const called = tokens.takes('(');
      object = called
        ? { kind: 'method', object, name, args: tokens.list(')', () => parseExpression(tokens)), at }
        : { kind: 'member', object, name, at };
    } else if (tokens.takes('[')) {
      object = { kind: 'index', object, key: parseExpression(tokens), at };
      tokens.expect(']');
    } else {
      return object;
    }
  }
}

function parsePrimary(tokens: TokenReader): Expression {
  const { kind, text, at } = tokens.current;
  if (tokens.sees('/')) return { kind: 'path', segments: parsePath(tokens), at };
  tokens.next();
  if (kind === 'string') return { kind: 'literal', value: text, at };
  if (kind === 'int') return { kind: 'literal', value: parseInteger(text, at), at };
  if (kind === 'float') return { kind: 'literal', value: Number(text), at };
  if (kind === 'name') return parseName(tokens, text, at);
  if (text === '[') return { kind: 'list', items: tokens.list(']', () => parseExpression(tokens)), at };
  if (text === '{') return { kind: 'map', entries: tokens.list('}', () => parseEntry(tokens)), at };
  if (text !== '(') throw new UnknownConstruct(`expected an expression, found ${text}`, at);
  const inner = parseExpression(tokens);
  tokens.expect(')');
  return inner;
}

function parseName(tokens: TokenReader, name: string, at: Expression['at']): Expression {
  if (name === 'null') return { kind: 'literal', value: null, at };
  if (name === 'true' || name === 'false') return { kind: 'literal', value: name === 'true', at };
  if (!tokens.takes('(')) return { kind: 'name', name, at };
  return { kind: 'call', name, args: tokens.list(')', () => parseExpression(tokens)), at };
}

function parseEntry(tokens: TokenReader): readonly [string, Expression] {
  if (tokens.current.kind !== 'string') throw tokens.unexpected('a key in quotes');
  const key = tokens.next().text;
  tokens.expect(':');
  return [key, parseExpression(tokens)];
}

/** `/databases/$(database)/documents/sessions/$(id)` */
function parsePath(tokens: TokenReader): readonly (string | Expression)[] {
  const segments: (string | Expression)[] = [];
  while (tokens.takes('/')) {
    if (!tokens.takes('$')) {
      segments.push(tokens.name('a segment of a path'));
      continue;
    }
    tokens.expect('(');
    segments.push(parseExpression(tokens));
    tokens.expect(')');
  }
  return segments;
}

function parseInteger(text: string, at: Expression['at']): bigint {
  const value = BigInt(text);
  if (value >= 2n ** 63n) throw new UnknownConstruct(`${text} does not fit into 64 bits`, at);
  return value;
}
