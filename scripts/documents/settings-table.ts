import { SETTING_LIST, type SettingEntry } from '../../packages/early-access-server/src/cli/setting-list.ts';
import { markdownTable } from './table.ts';

const TABLE = /(?<=<!-- settings: .*? -->\n)[\s\S]*?(?=<!-- end of settings -->)/;

/** Returns docs/settings.md with the table of the list that `--help` and `init` are made of. */
export function withSettings(document: string): string {
  if (!TABLE.test(document)) throw new Error('The document has no table of settings');
  const rows = SETTING_LIST.map((setting) => [`\`${setting.name}\``, setting.fallback, meaningOf(setting)]);
  const table = markdownTable([['variable', 'default', 'meaning'], ...rows], 'left');
  return document.replace(TABLE, () => `\n${table}\n`);
}

function meaningOf({ meaning, document }: SettingEntry): string {
  if (document === undefined) return meaning;
  const target = document.replace(/^settings\.md(?=#)/, '');
  const text = target.startsWith('#') ? 'below' : document.replace(/#.*/, '');
  return `${meaning}, see [${text}](${target})`;
}
