import { randomInt } from 'node:crypto';
import { AUDIT_ACTIONS, type AuditEntry, type Clock } from 'early-access-server/internal';
import { type DocumentSnapshot, FieldValue, type Firestore } from 'firebase-admin/firestore';
import type { Transaction } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { enumValue, integer, integerOrNull, text } from './fields.ts';
import { shardRefs } from './shards.ts';

/**
 * Each API call adds an entry, so the counter is split into several documents, which count the entries of admins
 * (`entries`) and the uses of API keys (`uses`). Entry n of either kind replaces entry n - `bound` of the same counter,
 * which bounds the collection without searching for old entries.
 */
const COUNTERS = 4;

export type FirestoreAudit = ReturnType<typeof firestoreAudit>;

/** The audit log: the newest `bound` actions of admins, and as many uses of API keys, in the order of their writes. */
export function firestoreAudit(firestore: Firestore, clock: Clock, bound: number) {
  const audit = firestore.collection(COLLECTIONS.adminAudit);
  return {
    async add(tx: Transaction, entry: Omit<AuditEntry, 'at'>): Promise<void> {
      const [ref = audit.doc()] = shardRefs(audit, 'counter', COUNTERS).slice(randomInt(COUNTERS));
      const counter = await tx.get(ref);
      const kind = isUse(entry) ? 'uses' : 'entries';
      const before = integerOrNull(counter, kind) ?? 0;
      const id = `${ref.id}-${kind}-${before % bound}`;
      tx.set(audit.doc(id), { ...entry, at: clock(), stored_at: FieldValue.serverTimestamp() });
      tx.set(ref, { [kind]: before + 1 }, { merge: true });
    },
    async newest(limit: number): Promise<readonly AuditEntry[]> {
      const { docs } = await audit.orderBy('stored_at', 'desc').limit(limit).get();
      const room = { uses: bound, entries: bound };
      return docs.map(toEntry).filter((entry) => room[isUse(entry) ? 'uses' : 'entries']-- > 0);
    },
  };
}

function isUse({ route }: Pick<AuditEntry, 'route'>): boolean {
  return route !== undefined;
}

function toEntry(document: DocumentSnapshot): AuditEntry {
  return {
    at: integer(document, 'at'),
    session: text(document, 'session'),
    action: enumValue(document, 'action', AUDIT_ACTIONS),
    count: integer(document, 'count'),
    ...(document.get('admin') !== undefined && { admin: text(document, 'admin') }),
    ...(document.get('api_key') !== undefined && { api_key: text(document, 'api_key') }),
    ...(document.get('route') !== undefined && { route: text(document, 'route') }),
    ...(document.get('member') !== undefined && { member: text(document, 'member') }),
    ...(document.get('filter') !== undefined && { filter: text(document, 'filter') }),
  };
}
