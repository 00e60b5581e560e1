import { SIGNUP_COLUMNS, type SignupRow, writeSignupsCsv } from 'early-access-server/app';
import { type Firestore, type Query, Timestamp } from 'firebase-admin/firestore';
import { COLLECTIONS } from '../collections.ts';
import { type Command, UsageError } from './command.ts';

const PAGE = 1_000;

/** Prints the signups as CSV, oldest first. A document read is billed for each. */
export const exportSignups: Command = async ({ firestore, args, stdout }) => {
  if (args.length > 0) throw new UsageError('usage: export');
  await writeSignupsCsv(rowsOf(firestore), stdout);
  return 0;
};

async function* rowsOf(firestore: Firestore): AsyncGenerator<SignupRow> {
  let rest: Query = firestore.collection(COLLECTIONS.signups).orderBy('created_at');
  for (;;) {
    const { docs } = await rest.limit(PAGE).get();
    for (const signup of docs)
      yield Object.fromEntries(SIGNUP_COLUMNS.map((column) => [column, cellOf(signup.get(column))]));
    const last = docs.at(-1);
    if (last === undefined || docs.length < PAGE) return;
    rest = rest.startAfter(last);
  }
}

function cellOf(value: unknown): string | Date | null {
  if (value instanceof Timestamp) return value.toDate();
  return typeof value === 'string' ? value : null;
}
