import { AUDIT_ACTIONS, type AuditEntry, type Clock } from 'early-access-server/stores';
import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import type { Transaction } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { enumValue, integer, integerOrNull, text } from './fields.ts';

/**
 * The document that counts the entries of admins (`entries`) and the uses of API keys (`uses`). Entry n of either replaces its entry
 * n - `bound`, so the collection is bounded without a search for old entries.
 */
const COUNTER = 'counter';

export type FirestoreAudit = ReturnType<typeof firestoreAudit>;

/** The audit: at most `bound` entries of what admins did, and as many uses of API keys. */
export function firestoreAudit(firestore: Firestore, clock: Clock, bound: number) {
  const audit = firestore.collection(COLLECTIONS.adminAudit);
  return {
    async add(tx: Transaction, entry: Omit<AuditEntry, 'at'>): Promise<void> {
      const counter = await tx.get(audit.doc(COUNTER));
      const [ofAdmins, ofKeys] = [integerOrNull(counter, 'entries') ?? 0, integerOrNull(counter, 'uses') ?? 0];
      const isUse = entry.route !== undefined;
      const id = isUse ? `use-${ofKeys % bound}` : String(ofAdmins % bound);
      tx.set(audit.doc(id), { ...entry, at: clock(), number: ofAdmins + ofKeys });
      tx.set(counter.ref, { entries: ofAdmins + (isUse ? 0 : 1), uses: ofKeys + (isUse ? 1 : 0) });
    },
    async newest(limit: number): Promise<readonly AuditEntry[]> {
      return (await audit.orderBy('number', 'desc').limit(limit).get()).docs.map(toEntry);
    },
  };
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
  };
}
