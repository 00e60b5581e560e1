import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from 'early-access-kit/internal';
import { type ApiKeyStore, type Clock, IDEMPOTENCY_MS, KEY_SCOPES, type StoredKey } from 'early-access-server/internal';
import { type DocumentSnapshot, type Firestore, Timestamp } from 'firebase-admin/firestore';
import type { FirestoreAudit } from './audit.ts';
import { transact, withStorageErrors } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { integer, integerOrNull, text, textOrNull } from './fields.ts';

/** Document ids are hashes of the keys. The documents do not expire. */
export function firestoreApiKeys(firestore: Firestore, clock: Clock, audit: FirestoreAudit): ApiKeyStore {
  const keys = firestore.collection(COLLECTIONS.apiKeys);
  const requests = firestore.collection(COLLECTIONS.idempotencyKeys);
  return withStorageErrors({
    async add({ hash, name, scopes }) {
      const key = { id: randomUUID(), name, scopes, created_at: clock(), last_used_at: null };
      await keys.doc(hash).create({ ...key, scopes: [...scopes] });
      return key;
    },
    list: async () => (await keys.orderBy('created_at', 'desc').get()).docs.map(toApiKey),
    async find(hash) {
      const document = await keys.doc(hash).get();
      return document.exists ? toApiKey(document) : null;
    },
    recordUse: (hash, { action, route }) =>
      transact(firestore, async (tx) => {
        const document = await tx.get(keys.doc(hash));
        if (!document.exists) return false;
        const { id, name, last_used_at } = toApiKey(document);
        // At most once a minute: all other calls with the key wait for a write.
        if (clock() - (last_used_at ?? 0) >= MINUTE_MS) tx.update(document.ref, { last_used_at: clock() });
        await audit.add(tx, { session: id, action, count: 1, api_key: name, route });
        return true;
      }),
    claimRequest: ({ hash, request }) =>
      transact(firestore, async (tx) => {
        const held = await tx.get(requests.doc(hash));
        const expires: unknown = held.get('expires_at');
        // The TTL policy may delete documents up to a day late.
        if (expires instanceof Timestamp && expires.toMillis() > clock()) {
          return { request: text(held, 'request'), response: textOrNull(held, 'response') };
        }
        tx.set(held.ref, { request, response: null, expires_at: Timestamp.fromMillis(clock() + IDEMPOTENCY_MS) });
        return null;
      }),
    async finishRequest(hash, response) {
      await (response === null ? requests.doc(hash).delete() : requests.doc(hash).update({ response }));
    },
    revoke: (id) =>
      transact(firestore, async (tx) => {
        const [document] = await tx.find(keys.where('id', '==', id).limit(1));
        if (document === undefined) return null;
        tx.delete(document.ref);
        return toApiKey(document);
      }),
  });
}

function toApiKey(document: DocumentSnapshot): StoredKey {
  const scopes: unknown = document.get('scopes');
  return {
    id: text(document, 'id'),
    name: text(document, 'name'),
    scopes: KEY_SCOPES.filter((scope) => Array.isArray(scopes) && scopes.includes(scope)),
    created_at: integer(document, 'created_at'),
    last_used_at: integerOrNull(document, 'last_used_at'),
  };
}
