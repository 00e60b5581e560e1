import { AUDIT_ACTIONS, type AuditEntry, type Clock } from 'early-access-server/stores';
import type { DocumentSnapshot, Firestore, Transaction } from 'firebase-admin/firestore';
import { COLLECTIONS } from './documents.ts';
import { enumValue, integer, text } from './fields.ts';

/**
 * The document that counts the entries of admins (`entries`) and the uses of API keys (`uses`). Entry n of either replaces its entry
 * n - `bound`, so the collection is bounded without a search for old entries.
 */
const COUNTER = 'counter';

export interface FirestoreAudit {
  /** Reads what it needs, and returns a function that stores an entry with the transaction. Call it before the transaction's first write. */
  begin(transaction: Transaction): Promise<(entry: Omit<AuditEntry, 'at'>) => void>;
  newest(limit: number): Promise<readonly AuditEntry[]>;
}

/** The audit: at most `bound` entries of what admins did, and as many uses of API keys. */
export function firestoreAudit(firestore: Firestore, clock: Clock, bound: number): FirestoreAudit {
  const audit = firestore.collection(COLLECTIONS.adminAudit);
  return {
    async begin(transaction) {
      const counter = await transaction.get(audit.doc(COUNTER));
      const count = (field: string) => (counter.get(field) === undefined ? 0 : integer(counter, field));
      const [ofAdmins, ofKeys] = [count('entries'), count('uses')];
      return (entry) => {
        const isUse = entry.route !== undefined;
        const id = isUse ? `use-${ofKeys % bound}` : String(ofAdmins % bound);
        transaction.set(audit.doc(id), { ...entry, at: clock(), number: ofAdmins + ofKeys });
        transaction.set(counter.ref, { entries: ofAdmins + (isUse ? 0 : 1), uses: ofKeys + (isUse ? 1 : 0) });
      };
    },
    async newest(limit) {
      const { docs } = await audit.orderBy('number', 'desc').limit(limit).get();
      return docs.map(toEntry);
    },
  };
}

function toEntry(document: DocumentSnapshot): AuditEntry {
  return {
    at: integer(document, 'at'),
    session: text(document, 'session'),
    action: enumValue(document, 'action', AUDIT_ACTIONS),
    count: integer(document, 'count'),
    ...(document.get('api_key') !== undefined && { api_key: text(document, 'api_key') }),
    ...(document.get('route') !== undefined && { route: text(document, 'route') }),
  };
}
