import { randomUUID } from 'node:crypto';
import { API_SCOPES, type ApiKey, type ApiKeyStore, type Clock } from 'early-access-server/stores';
import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import type { FirestoreAudit } from './audit.ts';
import { orStorageError, PATIENT, transact } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { integer, integerOrNull, text } from './fields.ts';

/** Documents are named by the hash of the key. They do not expire. */
export function firestoreApiKeys(firestore: Firestore, clock: Clock, audit: FirestoreAudit): ApiKeyStore {
  const keys = firestore.collection(COLLECTIONS.apiKeys);
  return {
    add: ({ hash, name, scopes }) =>
      orStorageError(async () => {
        const key: ApiKey = { id: randomUUID(), name, scopes, created_at: clock(), last_used_at: null };
        await keys.doc(hash).create({ ...key, scopes: [...scopes] });
        return key;
      }),
    list: () => orStorageError(async () => (await keys.orderBy('created_at', 'desc').get()).docs.map(toApiKey)),
    find: (hash) =>
      orStorageError(async () => {
        const document = await keys.doc(hash).get();
        return document.exists ? toApiKey(document) : null;
      }),
    recordUse: (hash, { action, route }) =>
      transact(
        firestore,
        async (transaction) => {
          const document = await transaction.get(keys.doc(hash));
          if (!document.exists) return false;
          const { id, name } = toApiKey(document);
          const add = await audit.begin(transaction);
          transaction.update(document.ref, { last_used_at: clock() });
          add({ session: id, action, count: 1, api_key: name, route });
          return true;
        },
        PATIENT,
      ),
    revoke: (id) =>
      transact(firestore, async (transaction) => {
        const [document] = (await transaction.get(keys.where('id', '==', id).limit(1))).docs;
        if (document === undefined) return null;
        transaction.delete(document.ref);
        return toApiKey(document);
      }),
  };
}

function toApiKey(document: DocumentSnapshot): ApiKey {
  const scopes: unknown = document.get('scopes');
  return {
    id: text(document, 'id'),
    name: text(document, 'name'),
    scopes: API_SCOPES.filter((scope) => Array.isArray(scopes) && scopes.includes(scope)),
    created_at: integer(document, 'created_at'),
    last_used_at: integerOrNull(document, 'last_used_at'),
  };
}
