#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { ADMIN_COMMANDS_HELP, adminCommands, helpCommands, runCommand, UsageError } from 'early-access-server/app';
import { initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { firestoreStore } from './firestore/firestore-store.ts';
import { DASHBOARD_HELP, writeDashboard } from './init/dashboard-command.ts';
import { INIT_HELP, initCommand } from './init/init-command.ts';
import { MANIFEST_FILE, PARAMETERS_FILE } from './package-files.ts';
import { printRules, RULES_HELP } from './rules/rules-command.ts';

const HELP = `The server side of early-access-kit on Firebase: npx early-access-firebase <command>, or --help or --version

A project:
${INIT_HELP}${DASHBOARD_HELP}${RULES_HELP}
The admin's commands:
${ADMIN_COMMANDS_HELP}
The admin's commands sign in with Google's default credentials (gcloud auth application-default login), to the project that
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
const init = initCommand(process.cwd(), () => readFileSync(PARAMETERS_FILE, 'utf8'));
const { version }: { version: string } = JSON.parse(readFileSync(MANIFEST_FILE, 'utf8'));
const help = helpCommands(HELP, version);

process.exitCode = await runCommand(
  { ...commands, init, dashboard: writeDashboard, rules: printRules, ...help, '': help.help },
  process.argv.slice(2),
  process,
  'early-access-firebase',
);
