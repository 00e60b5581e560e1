import { randomUUID } from 'node:crypto';
import { type Clock, type Member, ROLES, sha256, type TeamStore } from 'early-access-server/internal';
import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import { type Transaction, transact, withStorageErrors } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { enumValue, integer, integerOrNull, text } from './fields.ts';

/** The id of a member is the SHA-256 of the address, so that an address has one member. */
export function firestoreTeam(firestore: Firestore, clock: Clock): TeamStore {
  const members = firestore.collection(COLLECTIONS.adminMembers);
  const memberRef = (email: string) => members.doc(sha256(email));
  const memberById = (id: string) => members.where('id', '==', id).limit(1);
  /** Deletes the sessions, sign-in links and passkeys of an address. */
  async function endAccess(tx: Transaction, email: string): Promise<void> {
    for (const name of [COLLECTIONS.adminSignInTokens, COLLECTIONS.adminSessions, COLLECTIONS.adminPasskeys]) {
      for (const { ref } of await tx.find(firestore.collection(name).where('email', '==', email))) tx.delete(ref);
    }
  }

  return withStorageErrors({
    members: async () => (await members.orderBy('invited_at').get()).docs.map(toMember),
    async findMember(email) {
      const document = await memberRef(email).get();
      return document.exists ? toMember(document) : null;
    },
    invite: ({ email, role, invited_by }) =>
      transact(firestore, async (tx) => {
        const document = await tx.get(memberRef(email));
        if (document.exists) return null;
        await endAccess(tx, email);
        const added = { id: randomUUID(), email, role, invited_at: clock(), invited_by, signed_in_at: null };
        tx.create(document.ref, added);
        return added;
      }),
    changeRole: (id, role) =>
      transact(firestore, async (tx) => {
        const [document] = await tx.find(memberById(id));
        if (document === undefined) return null;
        tx.update(document.ref, { role });
        return { ...toMember(document), role };
      }),
    removeMember: (id) =>
      transact(firestore, async (tx) => {
        const [document] = await tx.find(memberById(id));
        if (document === undefined) return null;
        const removed = toMember(document);
        await endAccess(tx, removed.email);
        tx.delete(firestore.collection(COLLECTIONS.adminSettings).doc(sha256(removed.email)));
        tx.delete(document.ref);
        return removed;
      }),
    recordSignIn: (email) =>
      transact(firestore, async (tx) => {
        const document = await tx.get(memberRef(email));
        if (document.exists && toMember(document).signed_in_at === null)
          tx.update(document.ref, { signed_in_at: clock() });
      }),
  });
}

function toMember(document: DocumentSnapshot): Member {
  return {
    id: text(document, 'id'),
    email: text(document, 'email'),
    role: enumValue(document, 'role', ROLES),
    invited_at: integer(document, 'invited_at'),
    invited_by: text(document, 'invited_by'),
    signed_in_at: integerOrNull(document, 'signed_in_at'),
  };
}
