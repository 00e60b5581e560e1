import type { DatabaseSync } from 'node:sqlite';
import { integer, integerOrNull } from '../sql/row.ts';
import type { SessionHours } from './session-hours.ts';

/** Statements on `visitors`; each method is one member of a transaction. */
export interface VisitorTable {
  /** Records that a session of the visitor started at that time. */
  addSession(visitorId: string, sessionStart: number): void;
  /** Goes back to the visitor's latest remaining session after one that started at that time was erased. */
  removeSession(visitorId: string, sessionStart: number): void;
  /** Removes at most `limit` visitors last seen before `time`. Returns how many. */
  prune(time: number, limit: number): number;
}

export function visitorTable(db: DatabaseSync, hours: SessionHours): VisitorTable {
  const find = db.prepare('SELECT last_seen FROM visitors WHERE visitor_id = ?');
  const insert = db.prepare('INSERT INTO visitors (visitor_id, last_seen) VALUES (?, ?)');
  const update = db.prepare('UPDATE visitors SET last_seen = ? WHERE visitor_id = ?');
  const remove = db.prepare('DELETE FROM visitors WHERE visitor_id = ?');
  const latestLeft = db.prepare('SELECT max(session_start) AS latest FROM sessions WHERE visitor_id = ?');
  const prune = db.prepare(
    'DELETE FROM visitors WHERE visitor_id IN (SELECT visitor_id FROM visitors WHERE last_seen < ? LIMIT ?)',
  );

  function lastSeen(visitorId: string): number | null {
    const row = find.get(visitorId);
    return row === undefined ? null : integer(row, 'last_seen');
  }

  return {
    addSession(visitorId, sessionStart) {
      const before = lastSeen(visitorId);
      if (before !== null && before >= sessionStart) return;
      if (before === null) insert.run(visitorId, sessionStart);
      else update.run(sessionStart, visitorId);
      hours.moveVisitor(before, sessionStart);
    },
    removeSession(visitorId, sessionStart) {
      if (lastSeen(visitorId) !== sessionStart) return;
      const latest = integerOrNull(latestLeft.get(visitorId), 'latest');
      if (latest === null) remove.run(visitorId);
      else update.run(latest, visitorId);
      hours.moveVisitor(sessionStart, latest);
    },
    prune: (time, limit) => Number(prune.run(time, limit).changes),
  };
}
