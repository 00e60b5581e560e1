import { type SignupRow, writeSignupsCsv } from 'early-access-server/app';
import type { FirestoreStore } from 'early-access-server/firestore';
import { type Command, UsageError } from './command.ts';

/** Prints the signups as CSV, oldest first. A document read is billed for each. */
export const exportSignups: Command = async ({ store, args, stdout }) => {
  if (args.length > 0) throw new UsageError('usage: export');
  await writeSignupsCsv(rowsOf(store), stdout);
  return 0;
};

async function* rowsOf(store: FirestoreStore): AsyncGenerator<SignupRow> {
  for await (const signup of store.signups()) yield { ...signup, created_at: new Date(signup.created_at) };
}
