import { type Group, type Question, read, splitList, wrapRules } from './target.ts';

/** A value of each type of the rules language. */
const VALUES = splitList(
  "null ¦ true ¦ (0) ¦ (1) ¦ (9223372036854775807) ¦ (1.5) ¦ '' ¦ 'a' ¦ '1' ¦ '😀' ¦ [] ¦ ['a', 'b'] ¦ {} ¦ {'a': 1} ¦ {'a': null} ¦ hashing.sha256('a') ¦ request.time ¦ duration.value(1, 's') ¦ request.path ¦ (/a/b) ¦ request.resource",
);
const TYPES = splitList(
  'bool ¦ int ¦ float ¦ number ¦ string ¦ list ¦ map ¦ set ¦ bytes ¦ timestamp ¦ duration ¦ path',
);
const RIGHT = splitList("null ¦ 1 ¦ 1.5 ¦ 'a' ¦ ['a', 'b'] ¦ {'a': 1} ¦ duration.value(1, 's')");
const OF_TWO = splitList('X == Y ¦ X < Y ¦ X in Y ¦ X + Y != null');
const OF_ANY = splitList(
  "X - 1 != null ¦ X * 2 != null ¦ X / 0 != null ¦ X / 0.0 != null ¦ X % 2 == 1 ¦ -X < 0 ¦ !X ¦ X && true ¦ X && false ¦ false && X ¦ X || true ¦ X || false ¦ true || X ¦ X.size() == 1 ¦ X.keys() == ['a'] ¦ X.keys().hasOnly(['a']) ¦ X.hasOnly(['a', 'b']) ¦ X.diff({'a': 1}).affectedKeys().size() == 0 ¦ X.get('a', 2) != 2 ¦ X.a == 1 ¦ X['a'] == 1 ¦ X[0] == 'a' ¦ X.lower() == 'a' ¦ X.matches('a') ¦ 'a'.matches(X) ¦ X.toMillis() > 0 ¦ X.toHexString().size() == 64 ¦ hashing.sha256(X) is bytes ¦ duration.value(X, 's') > duration.value(0, 's') ¦ exists(/databases/$(database)/documents/a/$(X)) ¦ get(/databases/$(database)/documents/a/$(X)) == null",
);

/** Texts with characters that Unicode treats in a special way. */
const TEXTS = [
  ...splitList(
    ' ¦ a ¦ A ¦  a  ¦ a,b ¦ \\t\\n ¦ \u0001 ¦ a\u0000 ¦ é ¦ É ¦ e\u0301 ¦ ß ¦ İ ¦ ı ¦ ǅ ¦ Ω ¦ ẞ ¦ Ⴀ ¦ Σς ¦ ﬁ ¦ K ¦ 𐐀',
  ),
  ...splitList(
    '😀 ¦ 👩\u200d💻 ¦ \u00a0 ¦ \u2028 ¦ \u3000 ¦ \ufeff ¦ \u200b ¦ \ue000 ¦ \ufffd ¦ 漢字 ¦ a\\\\b ¦ \\\' ¦ \\"',
  ),
];
/** Every character that has another case. */
const CASED = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code > 127 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((character) => character.toLowerCase() !== character || character.toUpperCase() !== character)
  .join('');
const OF_TEXT = splitList(
  String.raw`X == X.lower() ¦ X.size() == 1 ¦ X.size() == 2 ¦ X[0] == 'a' ¦ X < 'b' ¦ X.matches('.') ¦ X.matches('.*') ¦ X.matches('^a$') ¦ X.matches('[^\\p{Z}\\p{C}]*') ¦ X.matches('\\p{Lu}.*') ¦ X.matches('\\w*') ¦ X.matches('\\s*') ¦ X.matches('(?i)k') ¦ X.matches('(?i)ß') ¦ X.matches('[^\\x00-\\x1f\\x7f]*')`,
);

/** Blocks and functions, each with which of some documents may be read. */
const BLOCKS = [
  "match /a/{x} { allow get; match /b/{y} { allow get: if x + y == '12'; } }",
  "match /a/{rest=**} { allow get: if rest[1] == 'b'; }",
  'match /{all=**} { allow read; }',
  'match /a/{x=**}/b/{y} { allow get; }',
  "match /a/{x} { allow get: if x.missing; } match /{c}/{x} { allow read: if c == 'a'; }",
  'function f(x) { return g(x) && x != "2"; } function g(x) { return x != "3"; } match /a/{id} { allow get: if f(id); }',
  'match /a/{x} { function x(y) { return y == x; } allow get: if x("1"); }',
  'match /a/{x} { allow write; allow get: if false; allow get: if true; }',
];
const READ = splitList('a/1 ¦ a/2 ¦ a/3 ¦ a/1/b/2 ¦ a/2/b/2 ¦ a/1/c/2 ¦ a/1/b/2/b/3 ¦ b/1');

/** Conditions that do not compile. */
const BROKEN = splitList(
  "1 is magic ¦ 1 is null ¦ true &&  ¦ 1e3 == 1000 ¦ 1 # 2 ¦ 'a\\q' == 'a' ¦ 9223372036854775808 > 0",
);

export const EXPRESSIONS: readonly Group[] = [
  ...TYPES.map((type) => asked(`X is ${type}`, VALUES)),
  ...OF_TWO.flatMap((template) => RIGHT.map((right) => asked(template.replace('Y', right), VALUES))),
  ...OF_ANY.map((template) => asked(template, VALUES)),
  ...OF_TEXT.map((template) =>
    asked(
      template,
      TEXTS.map((text) => `'${text}'`),
    ),
  ),
  asked('X', [`'${CASED}' == '${CASED}'.lower()`]),
  ...BLOCKS.map(
    (block): Group => ({
      name: `rules: ${block}`,
      rules: wrapRules(block),
      questions: READ.map((path) => [path, (target) => read(target, path)]),
    }),
  ),
  {
    name: 'rules that do not compile',
    questions: BROKEN.map(
      (condition): Question => [
        condition,
        (target) =>
          target.setRules(wrapRules(`match /a/{id} { allow get: if ${condition}; }`)).then(
            () => 'accepted',
            () => 'refused',
          ),
      ],
    ),
  },
];

/** Whether a condition is true or false for each value, or fails. */
function asked(template: string, values: readonly string[]): Group {
  const conditions = values.map((value) => template.replaceAll('X', value));
  const matches = conditions.flatMap((condition, place) => [
    `match /yes${place}/{id} { allow get: if ${condition}; }`,
    `match /no${place}/{id} { allow get: if !(${condition}); }`,
  ]);
  const question = (value: string, place: number): Question => [
    value.length > 99 ? 'all characters with another case stay' : value,
    async (target) => {
      if ((await read(target, `yes${place}/x`)) === 'missing') return 'true';
      return (await read(target, `no${place}/x`)) === 'missing' ? 'false' : 'fails';
    },
  ];
  return { name: `rules: ${template}`, rules: wrapRules(matches.join('\n')), questions: values.map(question) };
}
