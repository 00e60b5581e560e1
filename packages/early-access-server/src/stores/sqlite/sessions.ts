import type { DatabaseSync } from 'node:sqlite';
import {
  clampDuration,
  INITIAL_TOTALS,
  mergeSession,
  type SessionStart,
  type SessionTotals,
  toSessionRecord,
} from 'early-access-kit/core';
import { sha256 } from '../../app/access/secrets.ts';
import { integer, integerOrNull, type Row } from '../sql/row.ts';
import type { Counting } from './analytics/counting.ts';

/** Statements on `sessions` and what is derived from it; each method is one member of a transaction. */
export interface SessionTable {
  /**
   * Stores the session, or merges the totals into the stored one; ignores an erased one. The data is valid and its times are clamped
   * at `now`.
   */
  upsert(start: SessionStart, now: number, totals?: SessionTotals): void;
  /** Erases one session and takes it out of all figures; ignores it from now on. Returns whether it was stored. */
  erase(id: string, now: number): boolean;
}

export function sessionTable(db: DatabaseSync, counting: Counting): SessionTable {
  const find = db.prepare(`
    SELECT session_start, session_end, page_count, total_duration, max_scroll_depth, click_count FROM sessions WHERE id = ?
  `);
  const insert = db.prepare(`
    INSERT INTO sessions (id, visitor_id, session_start, session_end, page_count, total_duration, referrer, user_agent,
      device_type, browser, os, is_returning_visitor, total_sessions, max_scroll_depth, click_count, is_bounce,
      landing_path, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
      previous_start, touch_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const update = db.prepare(`
    UPDATE sessions SET session_end = ?, page_count = ?, total_duration = ?, max_scroll_depth = ?, click_count = ?,
      is_bounce = ? WHERE id = ?
  `);
  const remove = db.prepare('DELETE FROM sessions WHERE id = ?');
  const findErased = db.prepare('SELECT 1 FROM erased_sessions WHERE id_hash = ?');
  const recordErased = db.prepare('INSERT OR REPLACE INTO erased_sessions VALUES (?, ?)');

  function insertSession(session: ReturnType<typeof toSessionRecord>): void {
    const { previous_start, touch_id } = counting.placeSession(session);
    insert.run(
      session.id,
      session.visitor_id,
      session.session_start,
      session.session_end,
      session.page_count,
      session.total_duration,
      session.referrer,
      session.user_agent,
      session.device_type,
      session.browser,
      session.os,
      Number(session.is_returning_visitor),
      session.total_sessions,
      session.max_scroll_depth,
      session.click_count,
      Number(session.is_bounce),
      session.landing_path ?? null,
      session.utm_source ?? null,
      session.utm_medium ?? null,
      session.utm_campaign ?? null,
      session.utm_term ?? null,
      session.utm_content ?? null,
      previous_start,
      touch_id,
    );
  }

  return {
    upsert(start, now, totals) {
      const row = find.get(start.id);
      if (row === undefined) {
        if (findErased.get(sha256(start.id)) !== undefined) return;
        insertSession(toSessionRecord(start, clampDuration(totals ?? INITIAL_TOTALS, start.session_start, now)));
        return;
      }
      if (totals === undefined) return;
      // The start fields stored first are never changed; only totals are merged and written.
      const session_start = integer(row, 'session_start');
      const stored = toSessionRecord({ ...start, session_start }, toTotals(row));
      const merged = mergeSession(stored, clampDuration(totals, session_start, now));
      update.run(
        merged.session_end,
        merged.page_count,
        merged.total_duration,
        merged.max_scroll_depth,
        merged.click_count,
        Number(merged.is_bounce),
        start.id,
      );
    },
    erase(id, now) {
      recordErased.run(sha256(id), now);
      if (remove.run(id).changes === 0) return false;
      counting.recountSignups(id);
      return true;
    },
  };
}

function toTotals(row: Row): SessionTotals {
  return {
    session_end: integerOrNull(row, 'session_end'),
    page_count: integer(row, 'page_count'),
    total_duration: integer(row, 'total_duration'),
    max_scroll_depth: integer(row, 'max_scroll_depth'),
    click_count: integer(row, 'click_count'),
  };
}
