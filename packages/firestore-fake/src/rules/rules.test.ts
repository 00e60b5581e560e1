import { describe, expect, test } from 'vitest';
import { parseRules } from './rules.ts';
import type { RuleValue } from './values.ts';

function inService(body: string): string {
  return `rules_version = '2';\nservice cloud.firestore {\nmatch /databases/{database}/documents {\n${body}\n}\n}`;
}

const decide = (body: string, method: 'get' | 'list', ...path: readonly (string | undefined)[]) =>
  parseRules(inService(body)).decide({
    method,
    path: ['databases', '(default)', 'documents', ...path],
    variables: new Map<string, () => RuleValue>([
      ['request', () => new Map()],
      ['resource', () => null],
    ]),
    readDocument: () => null,
    unknownId: () => {
      throw new Error('the condition uses an unknown id');
    },
  }).allowed;

describe('limits', () => {
  test('a request evaluates at most 1,000 expressions', () => {
    const sum = (literals: number) => `${Array.from({ length: literals }, () => 'true').join(' && ')}`;
    // Each literal but the first comes with an operator.
    expect(decide(`match /a/{x} { allow get: if ${sum(500)}; }`, 'get', 'a', '1')).toBe(true);
    expect(decide(`match /a/{x} { allow get: if ${sum(501)}; }`, 'get', 'a', '1')).toBe(false);
  });

  test('rules have at most 256 KB', () => {
    const rules = (bytes: number) => inService('').padEnd(bytes);
    expect(() => parseRules(rules(262_144))).not.toThrow();
    expect(() => parseRules(rules(262_145))).toThrow('256 KB');
  });
});

describe('unknown constructs are refused, with their position', () => {
  test.each([
    ['unknown function', 'allow get: if frobnicate();', /4:.*unknown function frobnicate/],
    ['unknown method', 'allow get: if "a".frobnicate();', /4:.*unknown method frobnicate/],
    ['unknown name', 'allow get: if requst.auth == null;', /4:.*unknown name requst/],
    ['unknown member of request', 'allow get: if request.query.limit < 5;', /4:.*unknown member request\.query/],
    ['unknown type', 'allow get: if 1 is integer;', /4:.*unknown type integer/],
    ['unknown namespace function', 'allow get: if hashing.sha1("") == 1;', /4:.*unknown method hashing\.sha1/],
    ['unknown verb', 'allow peek: if true;', /4:7: unknown method peek/],
    ['wrong number of arguments', 'allow get: if "a".size(1) == 1;', /takes 0 arguments, not 1/],
    ['wrong number of own arguments', 'function f(a) { return a; } allow get: if f();', /f takes 1 arguments, not 0/],
    ['recursion', 'function f() { return g(); } function g() { return f(); }', /calls itself/],
    ['a function twice', 'function f() { return 1; } function f() { return 2; }', /defined twice/],
    ['a missing semicolon', 'allow get: if true', /expected ";"/],
    ['an unknown statement', 'permit get;', /expected match, function, allow/],
    ['an unknown escape', "allow get: if 'a\\d' == 'a';", /unknown escape/],
    ['an unknown character', 'allow get: if 1 # 2;', /unknown character #/],
    ['a pattern that RE2 refuses', "allow get: if 'a'.matches('(?<=b)a');", /RE2 refuses/],
  ])('%s', (_, rule, message) => {
    expect(() => parseRules(inService(rule))).toThrow(message);
  });

  test.each([
    ['service cloud.firestore {}', /rules_version/],
    ["rules_version = '1';\nservice cloud.firestore {}", /2:|only known rules_version/],
    ["rules_version = '2';\nservice firebase.storage {}", /expected "cloud"/],
    ["rules_version = '2';\nservice cloud.firestore { allow get; }", /must stand within/],
    ["rules_version = '2';\nservice cloud.firestore {} extra", /end of the file/],
  ])('%s', (text, message) => {
    expect(() => parseRules(text)).toThrow(message);
  });
});
