import { readFileSync } from 'node:fs';
import {
  ADMIN_COMMANDS_HELP,
  adminCommands,
  copyListCommand,
  type Environment,
  helpCommands,
  loadOptional,
  runCommand,
  UsageError,
} from 'early-access-server/internal';
import { HOSTED_FILES_HELP, writeDashboard, writeScripts } from './init/dashboard-command.ts';
import { EMULATORS_HELP, runEmulators } from './init/emulators-command.ts';
import { INIT_HELP, initCommand } from './init/init-command.ts';
import { askInTerminal } from './init/questions.ts';
import { MANIFEST_FILE, PARAMETERS_FILE } from './package-files.ts';
import { printRules, RULES_HELP } from './rules/rules-command.ts';

const COPY_HELP = `\
  copy --from sqlite --to firestore
                        copy the list to another store, or from it: sqlite (DATA_DIR), postgres (DATABASE_URL), firestore
`;
const HELP = `The server side of early-access-kit on Firebase: npx early-access-firebase <command>, or --help or --version

A project:
${INIT_HELP}${EMULATORS_HELP}${HOSTED_FILES_HELP}${RULES_HELP}
The admin’s commands:
${ADMIN_COMMANDS_HELP}${COPY_HELP}
The admin’s commands need firebase-admin, which a project has beside its functions: npx --prefix functions
early-access-firebase export. They sign in with Google’s default credentials (gcloud auth application-default login), to the project that
GOOGLE_CLOUD_PROJECT names. DATABASE_ID names its database, if it is not the default one.
`;

const MISSING_ADMIN =
  'this command needs firebase-admin: run it as npx --prefix functions early-access-firebase, or npm install firebase-admin';

async function openFirestore({ GOOGLE_CLOUD_PROJECT, DATABASE_ID = '(default)' }: Environment) {
  if (!GOOGLE_CLOUD_PROJECT) throw new UsageError('set GOOGLE_CLOUD_PROJECT to the id of the Firebase project');
  const { openProject } = await loadOptional(() => import('./open-project.ts'), MISSING_ADMIN);
  return openProject(GOOGLE_CLOUD_PROJECT, DATABASE_ID);
}

const commands = adminCommands({ open: ({ env }) => openFirestore(env), mailFolder: () => null });
const copy = copyListCommand({ firestore: openFirestore });
const readParameters = () => readFileSync(PARAMETERS_FILE, 'utf8');
const init = initCommand(process.cwd(), readParameters, { ask: process.stdin.isTTY ? askInTerminal : undefined });
const check = initCommand(process.cwd(), readParameters, { name: 'check' });
const { version }: { version: string } = JSON.parse(readFileSync(MANIFEST_FILE, 'utf8'));
const help = helpCommands(HELP, version);

process.exitCode = await runCommand(
  {
    ...commands,
    copy,
    init,
    check,
    emulators: runEmulators,
    dashboard: writeDashboard,
    scripts: writeScripts,
    rules: printRules,
    ...help,
    '': help.help,
  },
  process.argv.slice(2),
  process,
  'early-access-firebase',
);
