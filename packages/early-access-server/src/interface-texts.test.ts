import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Where the texts are that people read: the dashboard, the overlay and the form, pages, emails and the site. */
const SOURCES = [
  'packages/dashboard/src/**/*.{ts,tsx}',
  'packages/early-access-kit/src/**/*.{ts,tsx}',
  'packages/early-access-server/src/{app,mail,http/pages}/**/*.ts',
  'site/{src,mails}/**/*.{ts,tsx,html,txt}',
];
const NOT_SHOWN = /\.(test|test-d|stories|fixture)\.|\/(testing|fixtures)\//;
/** Agreed word for word. */
const AS_SPECIFIED = ["You're on the list!", "We'll email you when the beta is ready.", 'Joining...'];

/** The texts of a file, with the code around them, and without its comments. */
function readTexts(file: string): string {
  const code = readFileSync(path.join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  return AS_SPECIFIED.reduce((text, kept) => text.replaceAll(kept, ''), code);
}

/** Swedish dates, which have the form of ISO 8601, are values of fields. A page's script has the locale from `dates.ts`. */
const OTHER_DATE = /new Intl\.DateTimeFormat\((?!'sv')|toLocale(Date|Time)String\((?!dateLocale,)/;

const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !NOT_SHOWN.test(file));

it('no text that people read has a straight apostrophe, or three points in the place of an ellipsis', () => {
  expect(files.length).toBeGreaterThan(400);
  const wrong = files.flatMap((file) =>
    [...readTexts(file).matchAll(/.*(\p{L}(?:\\?'|&#39;)\p{L}|\p{L}\.\.\.).*/gu)].map(
      ([line]) => `${file}: ${line.trim()}`,
    ),
  );
  expect(wrong).toEqual([]);
});

it('dates are written in one way', () => {
  expect(files.filter((file) => OTHER_DATE.test(readTexts(file)))).toEqual([
    'packages/early-access-server/src/app/text/dates.ts',
  ]);
});
