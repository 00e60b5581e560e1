import type { AuditEntry } from '../../app/ports/admin-store.ts';
import { sql, type Transaction } from './statement.ts';

/**
 * Adds an audit entry, in the same transaction as the action. Stores at most `limit` entries of admins and as many uses
 * of API keys; older ones are deleted.
 */
export function* addAuditEntry(entry: Omit<AuditEntry, 'at'>, limit: number, now: number): Transaction<void> {
  const { session, action, count, admin = null, api_key = null, route = null, member = null, filter = null } = entry;
  yield* sql`
      INSERT INTO @admin_audit (at, session, action, count, admin, api_key, route, member, filter)
      VALUES (${now}, ${session}, ${action}, ${count}, ${admin}, ${api_key}, ${route}, ${member}, ${filter})
    `;
  const ofKind = route === null ? sql`route IS NULL` : sql`route IS NOT NULL`;
  // Counts rows instead of comparing ids, because rolled-back transactions leave gaps.
  yield* sql`
      DELETE FROM @admin_audit WHERE ${ofKind}
        AND id <= (SELECT id FROM @admin_audit WHERE ${ofKind} ORDER BY id DESC LIMIT 1 OFFSET ${limit})
    `;
}
