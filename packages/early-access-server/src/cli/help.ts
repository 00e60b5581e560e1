import { wrap } from '../mail/compose/wrap.ts';
import type { Setting } from '../settings/setting.ts';
import { SETTING_LIST } from '../settings/setting-list.ts';
import { ADMIN_COMMANDS_HELP } from './admin-commands.ts';
import { INIT_HELP } from './init/init.ts';

const NAME_WIDTH = Math.max(...SETTING_LIST.map(({ name }) => name.length));
const INDENT = 2;
const LINE_WIDTH = 118;

export const HELP = `early-access-server: signups, their emails and analytics, with a dashboard at /admin

  serve                 start the server (also without a command)
${INIT_HELP}${ADMIN_COMMANDS_HELP}  backup <file>         write a consistent copy of the database, even while the server runs
  restore <file>        replace the database with a backup; --replace: even if it has data
  copy --from sqlite --to postgres
                        copy everything from DATA_DIR to DATABASE_URL; if interrupted, run it again to continue
  check <page>          sign up on a page as a visitor would, and report what does not work and how to fix it
  mails build <folder>  make email templates of the React Email components in a folder, there or in the folder of --out
  openapi               print the OpenAPI document of the server with these settings, for generators of clients
  mcp                   serve the API to an agent over stdio (MCP): set EARLY_ACCESS_URL, and EARLY_ACCESS_KEY to an API key
  --version             print the version
  --help                show this

Settings are environment variables, or lines of the file .env in the working folder:

${SETTING_LIST.map(describe).join('')}
docs/settings.md of this package says more, and so does
https://github.com/early-access-kit/early-access-kit/blob/main/docs/settings.md.
`;

function describe(setting: Setting<unknown>): string {
  const column = INDENT + NAME_WIDTH + 2;
  const [first = '', ...others] = wrap(setting.plainMeaning, LINE_WIDTH - column).split('\n');
  const lines = [`${' '.repeat(INDENT)}${setting.name.padEnd(NAME_WIDTH + 2)}${first}`];
  return [...lines, ...others.map((line) => ' '.repeat(column) + line)].map((line) => `${line}\n`).join('');
}
