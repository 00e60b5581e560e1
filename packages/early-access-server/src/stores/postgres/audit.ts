import type { AuditEntry } from '../../app/admin/admin-store.ts';
import type { Clock } from '../../app/ports.ts';
import { toAuditEntry } from '../sql/admin-rows.ts';
import type { Queries, Transaction } from './connection.ts';

export interface AuditTable {
  add(tx: Transaction, entry: Omit<AuditEntry, 'at'>): Promise<void>;
  newest(sql: Queries, limit: number): Promise<readonly AuditEntry[]>;
}

/** The audit: at most `bound` entries of what admins did, and as many uses of API keys. */
export function auditTable(clock: Clock, bound: number): AuditTable {
  return {
    async add(tx, { session, action, count, api_key = null, route = null }) {
      await tx`
        INSERT INTO early_access.admin_audit (at, session, action, count, api_key, route)
        VALUES (${clock()}, ${session}, ${action}, ${count}, ${api_key}, ${route})
      `;
      const which = tx.unsafe(route === null ? 'route IS NULL' : 'route IS NOT NULL');
      // By rank, because ids of transactions that were undone leave gaps.
      await tx`
        DELETE FROM early_access.admin_audit WHERE ${which} AND id <= (
          SELECT id FROM early_access.admin_audit WHERE ${which} ORDER BY id DESC OFFSET ${bound} LIMIT 1
        )
      `;
    },
    async newest(sql, limit) {
      const rows = await sql`SELECT * FROM early_access.admin_audit ORDER BY id DESC LIMIT ${limit}`;
      return rows.map(toAuditEntry);
    },
  };
}
