import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Where the texts are that people read: widgets, pages, emails, dashboard, API, commands and the site. */
const SOURCES = [
  'packages/{create-early-access,dashboard,early-access-firebase,early-access-kit,early-access-server}/src/**/*.{ts,tsx}',
  'site/{src,mails}/**/*.{ts,tsx,html,txt}',
];
const NOT_SHOWN = /\.(test|test-d|stories|spec|fixture)\.|\/(testing|fixtures|demo|stores|firestore)\//;
/** Agreed word for word. */
const AS_SPECIFIED = ["You're on the list!", "We'll email you when the beta is ready.", 'Joining...'];

/** What the interface says, what it must not say instead, and a text that does. */
type Rule = readonly [say: string, wrong: RegExp, example: string];

const WORDS: readonly Rule[] = [
  ['session', /\bvisits\b|\b(?:an?|the|average|each|every|first|from|last|own|per) visit\b/i, 'From visit to signup'],
  ['bot sessions', /\bof robots\b/i, 'Sessions of robots'],
  ['bounced sessions', /\bbounce rate\b/i, 'Your bounce rate'],
  ['visitor', /\bguests?\b|\bnewcomers?\b/i, 'A guest signed up'],
  ['signup, sign up', /\bsign-ups?\b/i, 'Sign-ups are closed'],
  ['erase (a person), delete (a draft)', /\bforg[eo]t(?:s|ten)?\b(?! <)/i, 'The person is forgotten'],
  ['campaign', /\blaunch emails?\b/i, 'Send the launch email'],
  [
    'referral, refer',
    /\bbrought (?:by|them|for|the|yet)\b|\b(?:has|have|they|been|who) brought\b/i,
    'People they brought',
  ],
  ['share link', /\bcircles?\b/i, 'Your circle has grown'],
  [
    'create',
    /\b(?:key|link|draft|wave)s? (?:was|were) made\b|\bhave made\b|\bmak(?:es?|ing) an? (?:new )?(?:key|link|draft)\b/i,
    'The key was made',
  ],
  ['withdraw, undo', /\b(?:tak(?:e|es|en|ing)|took) (?:\w+ )?back\b/i, 'Took back 2 invitations'],
  ['since you opened it', /\bchanged meanwhile\b/i, 'This has changed meanwhile'],
  ['dashboard', /\badmin console\b|\bdesk\b/i, 'Open the admin console'],
  ['canceled', /\bcancelled\b/i, 'The campaign was cancelled'],
  ['the result (“Key revoked.”)', /^The \w+ (?:was|is) \w+ed\.$/, 'The key was revoked.'],
];
const SIGNS: readonly Rule[] = [
  ['a curly apostrophe', /\p{L}(?:'|&#39;)\p{L}/u, 'Don&#39;t'],
  ['an ellipsis', /\p{L}\.\.\./u, 'Loading...'],
];

/** The overlay's labels, whose translations are as they are, other languages, and what the site tells visitors. */
const OTHER_WORDS = /^site\/|\/admin\/messages\.ts$|\/(?:page-texts|messages|texts)\/(?!en\.)[^/]*$/;
/** Documents are generated from these: `openapi.json` and the table of settings. Documents have straight apostrophes. */
const OTHER_SIGNS = /early-access-server\/src\/(?:settings|http\/(?:admin|application|public|routing))\//;

/** Swedish dates, which have the form of ISO 8601, are values of fields. A page's script has the locale from `dates.ts`. */
const OTHER_DATE = /new Intl\.DateTimeFormat\((?!'sv')|toLocale(Date|Time)String\((?!dateLocale,)/;

const files = globSync(SOURCES, { cwd: ROOT })
  .filter((file) => !NOT_SHOWN.test(file))
  .map((file) => ({ file, code: readFileSync(path.join(ROOT, file), 'utf8') }));

/** String literals, the text of JSX, and the lines of other files. */
function readTexts(file: string, code: string): readonly string[] {
  if (!/\.tsx?$/.test(file)) return code.split('\n');
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest);
  const texts: string[] = [];
  const read = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) {
      const text = node.text.replaceAll(/\s+/g, ' ').trim();
      texts.push(AS_SPECIFIED.reduce((others, agreed) => others.replace(agreed, ''), text));
    }
    ts.forEachChild(node, read);
  };
  read(source);
  return texts;
}

/** Complaints about the texts of a file. */
function findWrong(file: string, code: string): readonly string[] {
  const words = OTHER_WORDS.test(file) ? [] : WORDS;
  const signs = OTHER_SIGNS.test(file) ? [] : SIGNS;
  return readTexts(file, code).flatMap((text) =>
    // A single word may be a value of the code.
    [...(text.includes(' ') ? words : []), ...signs]
      .filter(([, wrong]) => wrong.test(text))
      .map(([say]) => `${file} says “${text}”; the interface says: ${say}`),
  );
}

it.each([...WORDS, ...SIGNS])('a text that does not say %s is found', (say, _, example) => {
  for (const code of [`const text = '${example}';`, `const text = <p>\n  ${example}\n</p>;`]) {
    expect(findWrong('card.tsx', code)).toEqual([`card.tsx says “${example}”; the interface says: ${say}`]);
  }
});

it('every text that people read calls things by their words, with curly apostrophes and ellipses', () => {
  expect(files.length).toBeGreaterThan(700);
  expect(files.flatMap(({ file, code }) => findWrong(file, code))).toEqual([]);
});

it('dates are written in one way', () => {
  expect(
    files
      .filter(({ code }) => OTHER_DATE.test(code))
      .map(({ file }) => file)
      .sort(),
  ).toEqual([
    'packages/early-access-server/src/app/text/dates.ts',
    // Only checks the name of a time zone.
    'packages/early-access-server/src/http/routing/schemas/server.ts',
  ]);
});
