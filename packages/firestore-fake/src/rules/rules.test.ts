import { describe, expect, test } from 'vitest';
import { parseRules } from './rules.ts';
import { documentName, type RuleValue, ruleValueOfJson, Timestamp } from './values.ts';

const NOW = 1_700_000_000_000;

function inService(body: string): string {
  return `rules_version = '2';\nservice cloud.firestore {\nmatch /databases/{database}/documents {\n${body}\n}\n}`;
}

/** The result of a condition for a create of `things/one` with this data. */
function judge(condition: string, data: unknown = {}, more: { auth?: unknown; functions?: string } = {}): boolean {
  const rules = parseRules(inService(`${more.functions ?? ''}\nmatch /things/{id} { allow create: if ${condition}; }`));
  const request = new Map<string, RuleValue>([
    ['auth', more.auth === undefined ? null : ruleValueOfJson(more.auth)],
    ['method', 'create'],
    ['path', documentName('things/one')],
    ['time', new Timestamp(BigInt(NOW) * 1000n)],
    ['resource', new Map([['data', ruleValueOfJson(data)]])],
  ]);
  return rules.decide({
    method: 'create',
    path: ['databases', '(default)', 'documents', 'things', 'one'],
    variables: new Map<string, () => RuleValue>([
      ['request', () => request],
      ['resource', () => null],
    ]),
    readDocument: (name, path) => `${name}:${path.segments.slice(3).join('/')}`,
    unknownId: () => null,
  }).allowed;
}

describe('expressions', () => {
  test.each([
    ['1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && 7 / 2 == 3 && 7 % 4 == 3 && 1.5 * 2 == 3 && -2 < -1'],
    ["'a' + 'b' == \"ab\" && 'a' < 'b' && 'it\\'s' != 'its'"],
    ['true || false && false'],
    ['!(1 > 2) && 1 != 2 && 2 >= 2 && 2 <= 2'],
    ["1 in [1, 2] && !(3 in [1, 2]) && 'a' in {'a': 1} && !('b' in {'a': 1})"],
    ["(1 < 2 ? 'yes' : 'no') == 'yes'"],
    ["[1, [2]] == [1, [2]] && {'a': {'b': 1.0}} == {'a': {'b': 1}} && {'a': 1} != {'a': 1, 'b': 2}"],
    ["[1, 2, 3][1] == 2 && [1, 2, 3][0:2] == [1, 2] && 'abc'[1:3] == 'bc' && {'a b': 1}['a b'] == 1"],
    ['null == null && resource == null && request.auth == null'],
    ["'a' is string && 1 is int && 1 is number && 1.5 is float && true is bool && null is null && [] is list"],
    ["{} is map && request.time is timestamp && request.path is path && duration.value(1, 's') is duration"],
    ["!(1 is string) && !('1' is number) && !(1 is float)"],
    ["id == 'one' && database == '(default)' && request.method == 'create'"],
    ['/* a comment */ true // and another\n'],
  ])('%s', (condition) => {
    expect(judge(condition)).toBe(true);
  });

  test.each([
    ['a text as a condition', "'true'"],
    ['a missing field', 'request.resource.data.missing == null'],
    ['a member of null', 'request.auth.uid == null'],
    ['a comparison of kinds', "1 < '2'"],
    ['a method of another type', '1.size() == 1'],
    ['an index out of range', '[1][1] == 1'],
    ['division by zero', '1 / 0 == 0'],
    ['an overflow', '9223372036854775807 + 1 > 0'],
    ['a negated error', '!request.resource.data.missing'],
    ['an error on the left of &&', 'request.resource.data.missing == 1 && false'],
    ['an error on both sides of ||', 'request.resource.data.missing == 1 || request.auth.uid == 1'],
    ['an error on the left of || and false on its right', 'request.resource.data.missing == 1 || false'],
  ])('%s denies', (_, condition) => {
    expect(judge(condition)).toBe(false);
  });

  test('&&, || and ?: evaluate only the operands they need', () => {
    expect(judge('true || request.auth.uid == 1')).toBe(true);
    expect(judge('!(false && request.auth.uid == 1)')).toBe(true);
    expect(judge('false ? request.auth.uid : true')).toBe(true);
  });

  test('a result that depends on how || treats an error is refused', () => {
    expect(() => judge('request.auth.uid == 1 || true')).toThrow(/firestore\.rules:5:.*left side of \|\| fails/);
  });
});

describe('methods and functions', () => {
  test.each([
    ["'Ab'.lower() == 'ab' && 'Ab'.upper() == 'AB' && ' a '.trim() == 'a' && 'a,b'.split(',') == ['a', 'b']"],
    ["'🦊é'.size() == 2 && [1].size() == 1 && {'a': 1}.size() == 1 && [1, 1].toSet().size() == 1"],
    ["{'a': 1}.keys() == ['a'] && {'a': 1}.values() == [1] && {'a': 1}.get('b', 2) == 2 && {'a': 1}.get('a', 2) == 1"],
    ["{'a': {'b': 1}}.get(['a', 'b'], 0) == 1 && {'a': 1}.get(['a', 'b'], 0) == 0"],
    ['[1, 2].hasAll([1]) && [1, 2].hasAny([2, 3]) && [1, 2].hasOnly([2, 1, 3]) && ![1, 2].hasOnly([1])'],
    ["{'a': 1}.keys().hasOnly(['a', 'b']) && ![].hasAny([1]) && [].hasOnly([])"],
    ["int('7') == 7 && int(7.9) == 7 && float('1.5') == 1.5 && string(7) == '7' && string(true) == 'true'"],
    [`request.time.toMillis() == ${NOW} && timestamp.value(${NOW}) == request.time`],
    ["(request.time + duration.value(1, 'd')).toMillis() - request.time.toMillis() == 86400000"],
    ["request.time - (request.time - duration.value(2, 'h')) == duration.value(120, 'm')"],
    ["duration.value(1, 'w').seconds() == 604800"],
    ["hashing.sha256('abc').toHexString() == 'BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD'"],
    ["hashing.md5('').toHexString().lower() == 'd41d8cd98f00b204e9800998ecf8427e'"],
  ])('%s', (condition) => {
    expect(judge(condition)).toBe(true);
  });

  test('diff reports which keys differ', () => {
    const diff = "{'same': 1, 'changed': 1, 'added': 1}.diff({'same': 1, 'changed': 2, 'removed': 1})";
    expect(judge(`${diff}.affectedKeys() == ['changed', 'added', 'removed'].toSet()`)).toBe(true);
    expect(judge(`${diff}.changedKeys().hasOnly(['changed']) && ${diff}.unchangedKeys().hasOnly(['same'])`)).toBe(true);
    expect(judge(`${diff}.addedKeys().hasAll(['added']) && ${diff}.removedKeys().hasOnly(['removed'])`)).toBe(true);
  });

  test('matches() compares the whole text, in RE2 syntax', () => {
    expect(judge("'abc'.matches('abc') && 'abc'.matches('a.*') && '☃'.matches('\\\\pS')")).toBe(true);
    expect(judge("'abc'.matches('b') || 'abc\\n'.matches('abc') || 'a\\nb'.matches('a.b')")).toBe(false);
    expect(() => judge("'aa'.matches('(a)\\\\1')")).toThrow(/RE2 refuses/);
    expect(() => judge("'aa'.matches('(?=a)a')")).toThrow(/RE2 refuses/);
    expect(() => judge('"a".matches(request.resource.data.p)', { p: '(?!a)' })).toThrow(/RE2 refuses/);
  });

  test('replace() replaces every match of a pattern in RE2 syntax', () => {
    expect(
      judge("'banana'.replace('an?', 'o') == 'booo' && 'a🦊b'.replace('[\\\\x{10000}-\\\\x{10ffff}]', 'xx') == 'axxb'"),
    ).toBe(true);
    expect(() => judge("'a'.replace('(?!a)', '')")).toThrow(/RE2 refuses/);
    expect(() => judge("'a'.replace('(a)', '$1')")).toThrow(/groups/);
  });

  test('functions see their parameters, their let variables and the enclosing scope', () => {
    const functions = `
      function inner(value) { return value + 1; }
      function outer(a, b) { let sum = inner(a) + b; let twice = sum * 2; return twice == 10 && request.method == 'create' }`;
    expect(judge('outer(1, 3)', {}, { functions })).toBe(true);
  });

  test('documents are read by path', () => {
    const path = '/databases/$(database)/documents/users/$(request.auth.uid)';
    expect(judge(`get(${path}) == 'get:users/u1'`, {}, { auth: { uid: 'u1' } })).toBe(true);
    expect(judge(`existsAfter(${path}) == 'existsAfter:users/u1'`, {}, { auth: { uid: 'u1' } })).toBe(true);
  });
});

describe('limits', () => {
  test('a request evaluates at most 1,000 expressions', () => {
    const sum = (literals: number) => `${Array.from({ length: literals }, () => 'true').join(' && ')}`;
    // Each literal but the first comes with an operator.
    expect(judge(sum(500))).toBe(true);
    expect(judge(sum(501))).toBe(false);
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

describe('paths', () => {
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

  test('a block matches its whole path, and nested blocks extend it', () => {
    const body = 'match /a/{x} { allow get; match /b/{y} { allow get: if x + y == "12"; } }';
    expect(decide(body, 'get', 'a', '1')).toBe(true);
    expect(decide(body, 'get', 'a', '1', 'b', '2')).toBe(true);
    expect(decide(body, 'get', 'a', '2', 'b', '2')).toBe(false);
    expect(decide(body, 'get', 'a', '1', 'c', '2')).toBe(false);
    expect(decide(body, 'list', 'a', '1')).toBe(false);
  });

  test('a recursive wildcard matches any number of segments', () => {
    const body = 'match /a/{rest=**} { allow get: if string(rest) == "/1/b/2"; }';
    expect(decide(body, 'get', 'a', '1', 'b', '2')).toBe(true);
    expect(decide(body, 'get', 'a', '1')).toBe(false);
    expect(decide('match /{all=**} { allow read; }', 'get', 'x', 'y')).toBe(true);
  });

  test('one allowing statement among several matches is enough', () => {
    const body = 'match /a/{x} { allow get: if x.missing; } match /{c}/{x} { allow read: if c == "a"; }';
    expect(decide(body, 'get', 'a', '1')).toBe(true);
  });

  test('a list is evaluated without an id', () => {
    expect(decide('match /a/{x} { allow list; }', 'list', 'a', undefined)).toBe(true);
    expect(decide('match /a/one { allow list; }', 'list', 'a', undefined)).toBe(false);
    expect(() => decide('match /a/{x} { allow list: if x == "1"; }', 'list', 'a', undefined)).toThrow('unknown id');
  });
});
