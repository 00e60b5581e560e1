import { readFileSync } from 'node:fs';
import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { COLLECTIONS } from '../firestore/documents.ts';
import { RULES_FILE } from '../package-files.ts';
import { generateRules } from './generate-rules.ts';
import { findOpenRules } from './open-rules.ts';

const OURS = readFileSync(RULES_FILE, 'utf8');
const inDocuments = (more: string) => OURS.replace(/^ +match \/email_signups.*$/m, (line) => `${more}\n${line}`);
const find = (rules: string) => findOpenRules(rules, OURS);
const collections = fc.constantFrom(...Object.values(COLLECTIONS));

it.each([
  [
    'Firebase’s test mode',
    'match /{document=**} { allow read, write: if request.time < timestamp.date(2026, 12, 31); }',
  ],
  ['everything', 'match /{document=**} { allow read; }'],
  ['everything, in odd spaces', 'match\n/{ all = ** }{allow read:if true;}'],
  ['everyone who is signed in', 'match /{document=**} { allow read: if request.auth != null; }'],
  ['each collection', 'match /{collection}/{id} { allow list: if true; }'],
  ['each collection, in nested blocks', 'match /{collection} { match /{id} { allow get; } }'],
  ['every document with this id', 'match /{collection}/ada { allow get; }'],
  ['collections of one name at any depth', 'match /{path=**}/mails/{id} { allow read; }'],
  ['one of ours', 'match /mails/{id} { allow get; }'],
  ['more of one that browsers write', 'match /email_signups/{id} { allow list; }'],
  ['a text that looks like a comment', "match /{all=**} { allow read: if '//' != ''; }"],
  ['a function of ours, once more', 'match /sessions/{id} { function isId(value) { return true; } }'],
])('finds a rule for %s', (_, rule) => {
  expect(find(inDocuments(rule))).toEqual([expect.stringMatching(/^line \d+: (allow at \/databases|function isId)/)]);
});

it.each([
  ['its own collection', 'match /posts/{id} { allow read, write; match /{rest=**} { allow read; } }'],
  ['a collection group', 'match /{path=**}/posts/{id} { allow read; }'],
  ['everything, denied', 'match /{document=**} { allow read, write: if false; }'],
  ['a comment', '// match /{document=**} { allow read; }\n/* match /{document=**} {\n allow read; } */'],
  ['a text', "function example() { return 'match /{all=**} { allow read; }' }"],
])('accepts a rule for %s', (_, rule) => {
  expect(find(inDocuments(rule))).toEqual([]);
});

it('finds rules outside of the documents’ block, and names their lines', () => {
  const outside = OURS.replace(
    'service cloud.firestore {\n',
    (line) => `${line}  match /{all=**} {\n    allow read;\n  }\n`,
  );
  const [found] = find(outside);
  const line = outside.split('\n').findIndex((text) => text.trim() === 'allow read;') + 1;
  expect(found).toBe(`line ${line}: allow at /{all=**}`);
});

it('finds a changed function, and a changed condition', () => {
  expect(find(OURS.replace('data.created_at == request.time', 'true'))).toEqual([expect.stringContaining('isSignup')]);
  expect(find(OURS.replace('allow create: if isId(id)', 'allow create: if true || isId(id)'))).toEqual([
    expect.stringContaining('/sessions/{id}'),
  ]);
});

it.each([
  'match /{all=**} { allow read }',
  'match /{all=**} { allow read } match /posts/{id} { allow read; }',
  '}',
  '{',
  'match /x/$(y) { allow read; }',
])('does not accept rules that it cannot parse: %s', (rule) => {
  expect(find(inDocuments(rule))).toEqual(['it cannot be read']);
});

it('accepts the rules of every site when compared with its own', () => {
  for (const options of [{}, { directSignups: true }, { fields: { site: { type: 'url', label: 'S' } as const } }]) {
    const rules = generateRules(OURS, options);
    expect(findOpenRules(rules, rules)).toEqual([]);
  }
});

it('finds every path that matches one of our documents', () => {
  fc.assert(
    fc.property(collections, fc.array(fc.constantFrom('{a}', '{b=**}', 'literal'), { maxLength: 3 }), (own, before) => {
      const reaches = before.length === 0 || (before.length === 1 && before[0] === '{b=**}');
      const rule = `match /${[...before, own, '{id}'].join('/')} { allow read; }`;
      expect(find(inDocuments(rule)).length > 0).toBe(reaches || before.every((part) => part === '{b=**}'));
    }),
  );
});
