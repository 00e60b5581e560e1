import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvLine, SIGNUP_COLUMNS } from '@early-access-kit/backend';
import { type Firestore, type Query, Timestamp } from 'firebase-admin/firestore';
import { COLLECTIONS } from '../collections.ts';
import { type Command, UsageError } from './command.ts';

const PAGE = 1_000;

/** Prints the sign-ups as CSV, oldest first. A document read is billed for each. */
export const exportSignups: Command = async ({ firestore, args, stdout }) => {
  if (args.length > 0) throw new UsageError('usage: export');
  try {
    await pipeline(Readable.from(csvLines(firestore)), stdout, { end: false });
    return 0;
  } catch (error) {
    // `export | head` has read enough.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 0;
    throw error;
  }
};

async function* csvLines(firestore: Firestore): AsyncGenerator<string> {
  yield csvLine(SIGNUP_COLUMNS);
  let rest: Query = firestore.collection(COLLECTIONS.signups).orderBy('created_at');
  for (;;) {
    const { docs } = await rest.limit(PAGE).get();
    for (const signup of docs) yield csvLine(SIGNUP_COLUMNS.map((column) => cellOf(signup.get(column))));
    const last = docs.at(-1);
    if (last === undefined || docs.length < PAGE) return;
    rest = rest.startAfter(last);
  }
}

function cellOf(value: unknown): string | null {
  if (value instanceof Timestamp) return value.toDate().toISOString();
  return typeof value === 'string' ? value : null;
}
