import type { DatabaseSync } from 'node:sqlite';
import type { AuditEntry } from '../../app/admin/admin-store.ts';
import type { Clock } from '../../app/ports.ts';
import { toAuditEntry } from '../sql/admin-rows.ts';

/** Inside a transaction of the caller's. */
export interface AuditTable {
  add(entry: Omit<AuditEntry, 'at'>): void;
  newest(limit: number): readonly AuditEntry[];
}

/** The audit: at most `bound` entries of what admins did, and as many uses of API keys. */
export function auditTable(db: DatabaseSync, clock: Clock, bound: number): AuditTable {
  const insert = db.prepare(
    'INSERT INTO admin_audit (at, session, action, count, api_key, route) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const prune = (which: string) =>
    db.prepare(`
      DELETE FROM admin_audit WHERE ${which}
        AND id <= (SELECT id FROM admin_audit WHERE ${which} ORDER BY id DESC LIMIT 1 OFFSET ?)
    `);
  const [pruneAdmins, pruneApiKeys] = [prune('route IS NULL'), prune('route IS NOT NULL')];
  const read = db.prepare('SELECT * FROM admin_audit ORDER BY id DESC LIMIT ?');
  return {
    add({ session, action, count, api_key = null, route = null }) {
      insert.run(clock(), session, action, count, api_key, route);
      (route === null ? pruneAdmins : pruneApiKeys).run(bound);
    },
    newest: (limit) => read.all(limit).map(toAuditEntry),
  };
}
