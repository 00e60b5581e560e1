import { ADMIN_COMMANDS_HELP, adminCommands, helpCommands, runCommand, UsageError } from 'early-access-server/app';
import { initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { firestoreStore } from './firestore/firestore-store.ts';
import { printRules, RULES_HELP } from './rules/rules-command.ts';

const HELP = `The commands of the Firebase project's admin:

${ADMIN_COMMANDS_HELP}${RULES_HELP}
All but rules sign in with Google's default credentials (gcloud auth application-default login), to the project that
GOOGLE_CLOUD_PROJECT names. DATABASE_ID names its database, if it is not the default one.
`;

const commands = adminCommands({
  open({ env: { GOOGLE_CLOUD_PROJECT, DATABASE_ID = '(default)' } }) {
    if (!GOOGLE_CLOUD_PROJECT) throw new UsageError('set GOOGLE_CLOUD_PROJECT to the id of the Firebase project');
    const firestore = getFirestore(initializeApp({ projectId: GOOGLE_CLOUD_PROJECT }), DATABASE_ID);
    return { ...firestoreStore({ firestore }), close: () => firestore.terminate() };
  },
  mailFolder: () => null,
});
const help = helpCommands(HELP);

process.exitCode = await runCommand(
  { ...commands, rules: printRules, ...help, '': help.help },
  process.argv.slice(2),
  process,
);
