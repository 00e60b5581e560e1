import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvLine, SIGNUP_COLUMNS } from '@early-access-kit/backend';
import { readDataDir } from '../config.ts';
import { openExistingData } from '../data-folder.ts';
import type { Store } from '../store/store.ts';
import { type Command, noArguments } from './command.ts';

/** Prints the sign-ups as CSV, oldest first. */
export const exportSignups: Command = async (context) => {
  noArguments(context, 'export');
  const store = openExistingData(readDataDir(context.env));
  try {
    await pipeline(Readable.from(csvLines(store)), context.stdout, { end: false });
    return 0;
  } catch (error) {
    // `export | head` has read enough.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 0;
    throw error;
  } finally {
    store.close();
  }
};

function* csvLines(store: Pick<Store, 'signups'>): Generator<string> {
  yield csvLine(SIGNUP_COLUMNS);
  for (const signup of store.signups()) {
    const cells = { ...signup, created_at: new Date(signup.created_at).toISOString() };
    yield csvLine(SIGNUP_COLUMNS.map((column) => cells[column] ?? null));
  }
}
