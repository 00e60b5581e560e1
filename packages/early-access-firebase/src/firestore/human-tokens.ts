import type { HumanTokenStore } from 'early-access-server/internal';
import { type Firestore, Timestamp } from 'firebase-admin/firestore';
import { ALREADY_EXISTS, hasStatus, withStorageErrors } from './database.ts';
import { COLLECTIONS } from './documents.ts';

/** Stores a document for each used token. A TTL policy deletes it after the token has expired. */
export function firestoreHumanTokens(firestore: Firestore): HumanTokenStore {
  const tokens = firestore.collection(COLLECTIONS.humanTokens);

  async function findPurpose(hash: string): Promise<string | null> {
    const purpose: unknown = (await tokens.doc(hash).get()).get('purpose');
    return typeof purpose === 'string' ? purpose : null;
  }

  return withStorageErrors({
    findClaim: findPurpose,
    async claim(hash, purpose, expiresAt) {
      try {
        await tokens.doc(hash).create({ purpose, expires_at: Timestamp.fromMillis(expiresAt) });
        return true;
      } catch (error) {
        if (!hasStatus(error, ALREADY_EXISTS)) throw error;
        return (await findPurpose(hash)) === purpose;
      }
    },
  });
}
