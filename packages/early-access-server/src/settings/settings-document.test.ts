import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SETTING_LIST } from './setting-list.ts';

const FILE = fileURLToPath(new URL('../../../../docs/settings.md', import.meta.url));
const LIST = /(?<=<!-- settings: .* -->\n)[\s\S]*?(?=\n<!-- end of settings -->)/;

/** The document with the lines of the settings in its groups. A setting that is in no group follows the last one. */
function withSettings(document: string): string {
  const lines = new Map(SETTING_LIST.map((setting) => [setting.name, formatLine(setting)]));
  return document.replace(LIST, (list) => {
    const grouped = list.replaceAll(/^- `(\w+)`.*\n/gm, (_, name: string) => {
      const line = lines.get(name) ?? '';
      lines.delete(name);
      return line;
    });
    return grouped + [...lines.values()].join('');
  });
}

function formatLine({ name, options: { fallback, meaning, document } }: (typeof SETTING_LIST)[number]): string {
  const value = fallback === undefined ? '' : ` (${fallback})`;
  return `- \`${name}\`${value}: ${meaning}${document === undefined ? '' : createLink(document)}\n`;
}

function createLink(document: string): string {
  const target = document.replace(/^settings\.md(?=#)/, '');
  return ` ([${target.startsWith('#') ? 'below' : 'guide'}](${target}))`;
}

// `npm run pnpm -- vitest run --project server settings-document -u` writes the lines.
it('docs/settings.md has the line of each setting', async () => {
  const document = readFileSync(FILE, 'utf8');
  expect(LIST.exec(document)?.[0].match(/^- /gm)).toHaveLength(SETTING_LIST.length);
  await expect(withSettings(document)).toMatchFileSnapshot(FILE);
});
