import { jsonLog } from '../../app/log.ts';
import { type SignupRow, writeSignupsCsv } from '../../app/signups-csv.ts';
import type { SqliteStore } from '../../stores/sqlite/sqlite-store.ts';
import { readDataDir } from '../config.ts';
import { openExistingData } from '../data-folder.ts';
import { type Command, noArguments } from './command.ts';

/** Prints the signups as CSV, oldest first. */
export const exportSignups: Command = async (context) => {
  noArguments(context, 'export');
  const store = openExistingData(readDataDir(context.env), { log: jsonLog(context.stderr) });
  try {
    await writeSignupsCsv(rowsOf(store), context.stdout);
    return 0;
  } finally {
    store.close();
  }
};

function* rowsOf(store: Pick<SqliteStore, 'signups'>): Generator<SignupRow> {
  for (const signup of store.signups()) yield { ...signup, created_at: new Date(signup.created_at) };
}
