import { wrap } from '../../mail/compose/wrap.ts';
import type { Setting } from '../../settings/setting.ts';
import { SETTING_LIST } from '../../settings/setting-list.ts';

const COMMENT_WIDTH = 100;

/**
 * A `.env` file with the settings that a new admin needs. Each one is explained and commented out, so that the file has
 * no effect until it is edited.
 */
export function envTemplate(): string {
  return [
    ...comment(
      'Settings of early-access-server, which reads this file if it starts in this folder. Environment variables take precedence.',
    ),
    ...comment('Remove the # in front of a setting to set it. All settings: npx early-access-server --help'),
    ...comment('This file may hold passwords: do not commit it.'),
    ...SETTING_LIST.flatMap(section),
    '',
  ].join('\n');
}

function section(setting: Setting<unknown>): string[] {
  const { example } = setting.options;
  if (example === undefined) return [];
  return ['', ...comment(setting.plainMeaning), `#${setting.name}=${example}`];
}

function comment(text: string): string[] {
  return wrap(text, COMMENT_WIDTH)
    .split('\n')
    .map((line) => `# ${line}`);
}
