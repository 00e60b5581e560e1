import { readMeasured } from '../../e2e/engines/support/measured.ts';
import { markdownTable } from './table.ts';

const TABLE = /(?<=<!-- browsers: .*? -->\n)[\s\S]*?(?=<!-- end of browsers -->)/;

/** Returns docs/browsers.md with the table of what `npm run test:engines` measured. */
export function withBrowsers(document: string): string {
  if (!TABLE.test(document)) throw new Error('The document has no table of browsers');
  const { versions, flows } = readMeasured();
  const browsers = Object.keys(versions).sort();
  const head = ['flow', ...browsers.map((name) => `${name} ${versions[name]}`)];
  const rows = Object.entries(flows).map(([flow, found]) => [flow, ...browsers.map((name) => found[name] ?? '–')]);
  const table = markdownTable([head, ...rows], 'left');
  return document.replace(TABLE, () => `\n${table}\n`);
}
