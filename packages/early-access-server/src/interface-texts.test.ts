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

interface Rule {
  /** The word that the interface has for a thing, or the form of a text. */
  readonly say: string;
  readonly wrong: RegExp;
  /** A text that breaks the rule. */
  readonly example: string;
}

const WORDS: readonly Rule[] = [
  {
    say: 'session',
    wrong: /\bvisits\b|\b(?:an?|the|average|each|every|first|from|last|own|per) visit\b/i,
    example: 'From visit to signup',
  },
  { say: 'bot sessions', wrong: /\bof robots\b/i, example: 'Sessions of robots' },
  { say: 'bounced sessions', wrong: /\bbounce rate\b/i, example: 'Your bounce rate' },
  { say: 'visitor', wrong: /\bguests?\b|\bnewcomers?\b/i, example: 'A guest signed up' },
  { say: 'signup, sign up', wrong: /\bsign-ups?\b/i, example: 'Sign-ups are closed' },
  {
    say: 'erase (a person), delete (a draft)',
    wrong: /\bforg[eo]t(?:s|ten)?\b(?! <)/i,
    example: 'The person was forgotten',
  },
  { say: 'campaign', wrong: /\blaunch emails?\b/i, example: 'Send the launch email' },
  {
    say: 'referral, refer',
    wrong: /\bbrought (?:by|them|for|the|yet)\b|\b(?:has|have|they|been|who) brought\b/i,
    example: 'People they brought',
  },
  { say: 'share link', wrong: /\bcircles?\b/i, example: 'Your circle has grown' },
  {
    say: 'create',
    wrong:
      /\b(?:key|link|draft|wave)s? (?:was|were) made\b|\bhave made\b|\bmak(?:es?|ing) an? (?:new )?(?:key|link|draft)\b/i,
    example: 'The key was made',
  },
  {
    say: 'withdraw, undo',
    wrong: /\b(?:tak(?:e|es|en|ing)|took) (?:\w+ )?back\b/i,
    example: 'Took back 2 invitations',
  },
  { say: 'since you opened it', wrong: /\bchanged meanwhile\b/i, example: 'This has changed meanwhile' },
  { say: 'dashboard', wrong: /\badmin console\b|\bdesk\b/i, example: 'Open the admin console' },
  { say: 'canceled', wrong: /\bcancelled\b/i, example: 'The campaign was cancelled' },
  { say: 'the result (“Key revoked.”)', wrong: /^The \w+ (?:was|is) \w+ed\.$/, example: 'The key was revoked.' },
];

const SIGNS: readonly Rule[] = [
  { say: 'a curly apostrophe', wrong: /\p{L}(?:'|&#39;)\p{L}/u, example: 'Don&#39;t' },
  { say: 'an ellipsis', wrong: /\p{L}\.\.\./u, example: 'Loading...' },
];

/** The overlay's labels, whose translations are as they are, and other languages. */
const OTHER_WORDS = /\/admin\/messages\.ts$|\/(?:page-texts|messages|texts)\/(?!en\.)[^/]*$/;
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

/** A text of one word may be a value of the code. */
const breaks = (rule: Rule, text: string) => rule.wrong.test(text) && (SIGNS.includes(rule) || text.includes(' '));

/** Complaints about the texts of a file. */
function findWrong(file: string, code: string): readonly string[] {
  const rules = [...(OTHER_WORDS.test(file) ? [] : WORDS), ...(OTHER_SIGNS.test(file) ? [] : SIGNS)];
  return readTexts(file, code).flatMap((text) =>
    rules.filter((rule) => breaks(rule, text)).map(({ say }) => `${file} says “${text}”; the interface says: ${say}`),
  );
}

it.each([...WORDS, ...SIGNS])('a text that does not say $say is found', ({ say, example }) => {
  for (const code of [`const text = '${example}';`, `const text = <p>\n  ${example}\n</p>;`]) {
    expect(findWrong('card.tsx', code)).toEqual([`card.tsx says “${example}”; the interface says: ${say}`]);
  }
});

it('every text that people read calls things by their words, with curly apostrophes and ellipses', () => {
  expect(files.length).toBeGreaterThan(700);
  expect(files.flatMap(({ file, code }) => findWrong(file, code))).toEqual([]);
});

it('dates are written in one way', () => {
  expect(files.filter(({ code }) => OTHER_DATE.test(code)).map(({ file }) => file)).toEqual([
    'packages/early-access-server/src/app/text/dates.ts',
    // Only checks the name of a time zone.
    'packages/early-access-server/src/http/routing/schemas/server.ts',
  ]);
});
