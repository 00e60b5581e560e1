import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SETTING_LIST } from './setting-list.ts';

const DOCUMENT = readFileSync(new URL('../../../../docs/settings.md', import.meta.url), 'utf8');

/** The lines of all groups. */
function documentedLines(): string[] {
  const [list = ''] = /(?<=<!-- settings: )[\s\S]*?(?=<!-- end of settings -->)/.exec(DOCUMENT) ?? [];
  return list.split('\n').filter((line) => line.startsWith('- '));
}

function formatLine({ name, options: { fallback, meaning, document } }: (typeof SETTING_LIST)[number]): string {
  const value = fallback === undefined ? '' : ` (${fallback})`;
  return `- \`${name}\`${value}: ${meaning}${document === undefined ? '' : createLink(document)}`;
}

function createLink(document: string): string {
  const target = document.replace(/^settings\.md(?=#)/, '');
  const text = target.startsWith('#') ? 'below' : document.replace(/#.*/, '');
  return `, see [${text}](${target})`;
}

it('docs/settings.md has the line of each setting in a group; after a change, copy the expected line into it', () => {
  expect(documentedLines().toSorted()).toEqual(SETTING_LIST.map(formatLine).toSorted());
});
