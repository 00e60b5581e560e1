import {
  type Allow,
  type FunctionDefinition,
  type MatchBlock,
  METHODS,
  type Method,
  type PatternSegment,
} from './ast.ts';
import { UnknownConstruct } from './errors.ts';
import { parseExpression } from './expression-parser.ts';
import { tokenize } from './lexer.ts';
import { TokenReader } from './token-reader.ts';

const GROUPS: Readonly<Record<string, readonly Method[]>> = {
  read: ['get', 'list'],
  write: ['create', 'update', 'delete'],
};

/** Parses a rules file. Returns its service as a block with an empty pattern. */
export function parseFile(source: string): MatchBlock {
  const tokens = new TokenReader(tokenize(source));
  parseVersion(tokens);
  const at = tokens.expect('service').at;
  tokens.expect('cloud');
  tokens.expect('.');
  tokens.expect('firestore');
  const service = parseBlock(tokens, [], at);
  if (tokens.current.kind !== 'end') throw tokens.unexpected('the end of the file');
  const [allow] = service.allows;
  if (allow !== undefined) throw new UnknownConstruct('"allow" must stand within a "match"', allow.at);
  return service;
}

function parseVersion(tokens: TokenReader): void {
  if (!tokens.takes('rules_version')) throw tokens.unexpected(`rules_version = '2'`);
  tokens.expect('=');
  const { kind, text, at } = tokens.next();
  if (kind !== 'string' || text !== '2') throw new UnknownConstruct(`the only known rules_version is '2'`, at);
  tokens.expect(';');
}

function parseBlock(tokens: TokenReader, pattern: readonly PatternSegment[], at: MatchBlock['at']): MatchBlock {
  const functions: FunctionDefinition[] = [];
  const allows: Allow[] = [];
  const matches: MatchBlock[] = [];
  tokens.expect('{');
  while (!tokens.takes('}')) {
    const start = tokens.at;
    if (tokens.takes('match')) matches.push(parseBlock(tokens, parsePattern(tokens), start));
    else if (tokens.takes('function')) functions.push(parseFunction(tokens, start));
    else if (tokens.takes('allow')) allows.push(parseAllow(tokens, start));
    else throw tokens.unexpected('match, function, allow or "}"');
  }
  return { pattern, functions, allows, matches, at };
}

function parsePattern(tokens: TokenReader): readonly PatternSegment[] {
  const segments: PatternSegment[] = [];
  if (!tokens.sees('/')) throw tokens.unexpected('a path');
  while (tokens.takes('/')) {
    if (!tokens.takes('{')) {
      segments.push({ kind: 'literal', text: tokens.name('a segment of a path') });
      continue;
    }
    const name = tokens.name('the name of a wildcard');
    const many = tokens.takes('=');
    if (many) tokens.expect('**');
    tokens.expect('}');
    segments.push({ kind: many ? 'many' : 'one', name });
  }
  return segments;
}

function parseAllow(tokens: TokenReader, at: Allow['at']): Allow {
  const methods: Method[] = [];
  do {
    methods.push(...parseMethods(tokens));
  } while (tokens.takes(','));
  if (tokens.takes(';')) return { methods, condition: undefined, at };
  tokens.expect(':');
  tokens.expect('if');
  const condition = parseExpression(tokens);
  tokens.expect(';');
  return { methods, condition, at };
}

function parseMethods(tokens: TokenReader): readonly Method[] {
  const { text, at } = tokens.next();
  const method = METHODS.find((candidate) => candidate === text);
  const methods = method !== undefined ? [method] : Object.hasOwn(GROUPS, text) ? GROUPS[text] : undefined;
  if (methods === undefined) throw new UnknownConstruct(`unknown method ${text}`, at);
  return methods;
}

function parseFunction(tokens: TokenReader, at: FunctionDefinition['at']): FunctionDefinition {
  const name = tokens.name('the name of a function');
  tokens.expect('(');
  const parameters = tokens.list(')', () => tokens.name('a parameter'));
  tokens.expect('{');
  tokens.expect('return');
  const result = parseExpression(tokens);
  tokens.takes(';');
  tokens.expect('}');
  return { name, parameters, result, at };
}
