import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SETTING_LIST } from './setting-list.ts';

const DOCUMENT = readFileSync(new URL('../../../../docs/settings.md', import.meta.url), 'utf8');

/** The rows of the table, without padding. */
function documentedRows(): string[] {
  const [table = ''] = /(?<=<!-- settings: )[\s\S]*?(?=<!-- end of settings -->)/.exec(DOCUMENT) ?? [];
  const rows = table.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => row.replaceAll(/ +\|/g, ' |').replaceAll(/\| +/g, '| '));
}

function formatRow({ name, options: { fallback = 'none', meaning, document } }: (typeof SETTING_LIST)[number]): string {
  return `| \`${name}\` | ${fallback} | ${meaning}${document === undefined ? '' : createLink(document)} |`;
}

function createLink(document: string): string {
  const target = document.replace(/^settings\.md(?=#)/, '');
  const text = target.startsWith('#') ? 'below' : document.replace(/#.*/, '');
  return `, see [${text}](${target})`;
}

it('docs/settings.md has the row of each setting; after a change, copy the expected row into it', () => {
  expect(documentedRows()).toEqual(SETTING_LIST.map(formatRow));
});
