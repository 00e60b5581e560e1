import type { AuditEntry } from '../../app/ports/admin-store.ts';
import type { Clock } from '../../app/ports/clock.ts';
import { sql, type Transaction } from './statement.ts';

/** Adds an entry to the audit, in the transaction of what it records. */
export type AddAuditEntry = (entry: Omit<AuditEntry, 'at'>) => Transaction<void>;

/** Stores at most `limit` entries of what admins did, and as many uses of API keys; deletes older ones. */
export function auditWriter(clock: Clock, limit: number): AddAuditEntry {
  return function* addAuditEntry({ session, action, count, api_key = null, route = null }) {
    yield* sql`
      INSERT INTO @admin_audit (at, session, action, count, api_key, route)
      VALUES (${clock()}, ${session}, ${action}, ${count}, ${api_key}, ${route})
    `;
    const ofKind = route === null ? sql`route IS NULL` : sql`route IS NOT NULL`;
    // Counts by rank, because ids of transactions that were undone leave gaps.
    yield* sql`
      DELETE FROM @admin_audit WHERE ${ofKind}
        AND id <= (SELECT id FROM @admin_audit WHERE ${ofKind} ORDER BY id DESC LIMIT 1 OFFSET ${limit})
    `;
  };
}
