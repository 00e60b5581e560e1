import { randomUUID } from 'node:crypto';
import {
  type Clock,
  isCounterValid,
  newSession,
  type Passkey,
  type PasskeyStore,
  sha256,
} from 'early-access-server/internal';
import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import { openSession } from './admin.ts';
import { transact, withStorageErrors } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { integer, integerOrNull, text } from './fields.ts';
import { queueNotices } from './message-document.ts';

/** The id of a passkey is the SHA-256 of the credential id, so that a credential has one owner. */
export function firestorePasskeys(firestore: Firestore, clock: Clock): PasskeyStore {
  const passkeys = firestore.collection(COLLECTIONS.adminPasskeys);
  const passkeyRef = (credentialId: string) => passkeys.doc(sha256(credentialId));
  const ownPasskey = (email: string, id: string) => passkeys.where('id', '==', id).where('email', '==', email).limit(1);

  return withStorageErrors({
    async list(email) {
      const { docs } = await passkeys.where('email', '==', email).get();
      return docs.map(toPasskey).toSorted((one, other) => one.created_at - other.created_at);
    },
    async find(credentialId) {
      const document = await passkeyRef(credentialId).get();
      return document.exists ? toPasskey(document) : null;
    },
    add: (given, notice) =>
      transact(firestore, async (tx) => {
        const document = await tx.get(passkeyRef(given.credential_id));
        if (document.exists) return null;
        const added = { ...given, id: randomUUID(), created_at: clock(), last_used_at: null };
        tx.create(document.ref, added);
        if (notice !== null) queueNotices(tx, [given.email], notice, added.created_at);
        return added;
      }),
    rename: (email, id, name) =>
      transact(firestore, async (tx) => {
        const [document] = await tx.find(ownPasskey(email, id));
        if (document !== undefined) tx.update(document.ref, { name });
        return document !== undefined;
      }),
    remove: (email, id) =>
      transact(firestore, async (tx) => {
        const [document] = await tx.find(ownPasskey(email, id));
        if (document !== undefined) tx.delete(document.ref);
        return document !== undefined;
      }),
    signIn: (credentialId, counter, { hash, ...opened }) =>
      transact(firestore, async (tx) => {
        const now = clock();
        const document = await tx.get(passkeyRef(credentialId));
        if (!document.exists) return null;
        const passkey = toPasskey(document);
        if (!isCounterValid(passkey.counter, counter)) return null;
        tx.update(document.ref, { counter, last_used_at: now });
        return openSession(firestore, tx, newSession(passkey.email, opened, now), hash);
      }),
  });
}

function toPasskey(document: DocumentSnapshot): Passkey {
  return {
    id: text(document, 'id'),
    credential_id: text(document, 'credential_id'),
    email: text(document, 'email'),
    name: text(document, 'name'),
    public_key: text(document, 'public_key'),
    counter: integer(document, 'counter'),
    created_at: integer(document, 'created_at'),
    last_used_at: integerOrNull(document, 'last_used_at'),
  };
}
