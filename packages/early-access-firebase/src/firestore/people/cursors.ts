import { newToken, type PeopleSort, readCursor, writeCursor } from 'early-access-server/internal';
import { type DocumentSnapshot, type Firestore, Timestamp } from 'firebase-admin/firestore';
import { transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { text, timestamp } from '../fields.ts';
import { signupIdOfDocument } from '../list/person.ts';
import { ORDERS } from './queries.ts';

/** The end of a page of the list. */
interface Position {
  /** People whose address starts with the search have already been listed. */
  readonly startsShown: boolean;
  /** The sort values to start after. */
  readonly after: readonly [Timestamp | string, string];
  readonly signupId: string;
}

export type Cursors = ReturnType<typeof openCursors>;

/** Cursors that every process can read. The first process that needs the key creates it. */
export function openCursors(firestore: Firestore) {
  const ref = firestore.collection(COLLECTIONS.keys).doc('cursors');
  let key: Uint8Array | undefined;

  async function readKey(): Promise<Uint8Array> {
    const stored = await transact(firestore, async (tx) => {
      const document = await tx.get(ref);
      if (document.exists) return text(document, 'key');
      const made = newToken();
      tx.create(ref, { key: made });
      return made;
    });
    return Buffer.from(stored, 'base64url');
  }

  return {
    /** Returns null if there is no next page. */
    async write(document: DocumentSnapshot | undefined, sort: PeopleSort, startsShown: boolean) {
      if (document === undefined) return null;
      key ??= await readKey();
      const [[field]] = ORDERS[sort];
      const last =
        field === 'email'
          ? [text(document, field)]
          : [timestamp(document, field).seconds, timestamp(document, field).nanoseconds];
      return writeCursor(key, sort, [Number(startsShown), document.id, ...last]);
    },
    async read(cursor: string, sort: PeopleSort): Promise<Position> {
      key ??= await readKey();
      const [startsShown, id, first, second] = readCursor(key, cursor, sort, sort === 'email' ? 3 : 4);
      const last = sort === 'email' ? String(first) : new Timestamp(Number(first), Number(second));
      return { startsShown: startsShown === 1, after: [last, String(id)], signupId: signupIdOfDocument(String(id)) };
    },
  };
}
