import { firestoreStore } from 'early-access-server/firestore';
import { initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { commandOf, HELP, runCommand } from './owner/run.ts';

const [name, ...args] = process.argv.slice(2);
const command = commandOf(name);
const { GOOGLE_CLOUD_PROJECT } = process.env;

if (command === undefined) {
  process.stdout.write(HELP);
  process.exitCode = name === undefined || name === 'help' ? 0 : 2;
} else if (!GOOGLE_CLOUD_PROJECT) {
  process.stderr.write('Set GOOGLE_CLOUD_PROJECT to the id of the Firebase project.\n');
  process.exitCode = 2;
} else {
  const firestore = getFirestore(initializeApp({ projectId: GOOGLE_CLOUD_PROJECT }));
  const context = { store: firestoreStore({ firestore }), args, stdout: process.stdout };
  try {
    process.exitCode = await runCommand(command, context, process.stderr);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'It failed.'}\n`);
    process.exitCode = 1;
  }
  await firestore.terminate();
}
