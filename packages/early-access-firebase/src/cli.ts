#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { adminCommands, helpCommands, runCommand, UsageError } from 'early-access-server/app';
import { initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { firestoreStore } from './firestore/firestore-store.ts';
import { HELP } from './help.ts';
import { writeDashboard } from './init/dashboard-command.ts';
import { initCommand } from './init/init-command.ts';
import { PARAMETERS_FILE } from './package-files.ts';
import { printRules } from './rules/rules-command.ts';

const commands = adminCommands({
  open({ env: { GOOGLE_CLOUD_PROJECT, DATABASE_ID = '(default)' } }) {
    if (!GOOGLE_CLOUD_PROJECT) throw new UsageError('set GOOGLE_CLOUD_PROJECT to the id of the Firebase project');
    const firestore = getFirestore(initializeApp({ projectId: GOOGLE_CLOUD_PROJECT }), DATABASE_ID);
    return { ...firestoreStore({ firestore }), close: () => firestore.terminate() };
  },
  mailFolder: () => null,
});
const init = initCommand(process.cwd(), () => readFileSync(PARAMETERS_FILE, 'utf8'));
const help = helpCommands(HELP);

process.exitCode = await runCommand(
  { ...commands, init, dashboard: writeDashboard, rules: printRules, ...help, '': help.help },
  process.argv.slice(2),
  process,
);
