import {
  clampDuration,
  INITIAL_TOTALS,
  mergeSession,
  type SessionRecord,
  type SessionStart,
  type SessionTotals,
  toSessionRecord,
} from 'early-access-kit/core';
import { sha256 } from '../../app/access/secrets.ts';
import { toSessionSource, toSignupSource } from '../../app/analytics/traffic-source.ts';
import { toSession, toSignup } from '../sql/record-rows.ts';
import { integer, integerOrNull, text } from '../sql/row.ts';
import { findSourceIds } from './analytics/traffic-sources.ts';
import type { Transaction } from './connection.ts';

/** A start of a session, or an update of one. The data is valid and its times are clamped at `now`. */
export interface SessionWrite {
  readonly start: SessionStart;
  readonly totals: SessionTotals | undefined;
  readonly now: number;
}

/** Stores sessions, or merges totals into the stored ones; ignores erased ones. */
export async function saveSessions(tx: Transaction, writes: readonly SessionWrite[]): Promise<readonly undefined[]> {
  const ids = [...new Set(writes.map(({ start }) => start.id))];
  const rows = await tx`SELECT * FROM early_access.sessions WHERE id = ANY(${ids}::text[])`;
  const stored = new Map(rows.map((row) => [text(row, 'id'), toSession(row)]));
  const sessions = new Map(stored);
  const erased = stored.size < ids.length ? await erasedHashes(tx, ids) : new Set();
  for (const { start, totals, now } of writes) {
    const session = sessions.get(start.id);
    if (session !== undefined) {
      if (totals !== undefined) {
        sessions.set(start.id, mergeSession(session, clampDuration(totals, session.session_start, now)));
      }
    } else if (!erased.has(sha256(start.id))) {
      const first = clampDuration(totals ?? INITIAL_TOTALS, start.session_start, now);
      sessions.set(start.id, toSessionRecord(start, first));
    }
  }
  const all = [...sessions.values()];
  await insertSessions(
    tx,
    all.filter(({ id }) => !stored.has(id)),
  );
  await updateTotals(
    tx,
    all.filter((session) => stored.has(session.id) && session !== stored.get(session.id)),
  );
  return writes.map(() => undefined);
}

async function erasedHashes(tx: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows =
    await tx`SELECT id_hash FROM early_access.erased_sessions WHERE id_hash = ANY(${ids.map(sha256)}::text[])`;
  return new Set(rows.map((row) => text(row, 'id_hash')));
}

const COLUMNS = `id, visitor_id, session_start, session_end, page_count, total_duration, referrer, user_agent, device_type, browser, os,
  is_returning_visitor, total_sessions, max_scroll_depth, click_count, is_bounce, landing_path, utm_source, utm_medium, utm_campaign,
  utm_term, utm_content, touch_id`;

async function insertSessions(tx: Transaction, sessions: readonly SessionRecord[]): Promise<void> {
  if (sessions.length === 0) return;
  const trafficSources = await findSourceIds(
    tx,
    sessions.map((session) => ({ trafficSource: toSessionSource(session), time: session.session_start })),
  );
  const rows = sessions.map((session, index) => ({
    ...session,
    is_bounce: Number(session.is_bounce),
    is_returning_visitor: Number(session.is_returning_visitor),
    touch_id: trafficSources[index] ?? 0,
  }));
  await tx`
    INSERT INTO early_access.sessions (${tx.unsafe(COLUMNS)})
    SELECT ${tx.unsafe(COLUMNS)} FROM jsonb_populate_recordset(NULL::early_access.sessions, ${tx.json(rows)})
  `;
  await orderSessions(
    tx,
    sessions.map(({ visitor_id }) => visitor_id),
  );
  // Signups count as the session they were made in.
  await tx`
    UPDATE early_access.email_signups AS signup SET touch_id = session.touch_id FROM early_access.sessions AS session
    WHERE signup.session_id = session.id AND session.id = ANY(${sessions.map(({ id }) => id)}::text[])
      AND signup.touch_id <> session.touch_id
  `;
}

async function updateTotals(tx: Transaction, sessions: readonly SessionRecord[]): Promise<void> {
  if (sessions.length === 0) return;
  const rows = sessions.map(
    ({ id, session_end, page_count, total_duration, max_scroll_depth, click_count, is_bounce }) => ({
      ...{ id, session_end, page_count, total_duration, max_scroll_depth, click_count },
      is_bounce: Number(is_bounce),
    }),
  );
  await tx`
    UPDATE early_access.sessions AS stored SET session_end = merged.session_end, page_count = merged.page_count,
      total_duration = merged.total_duration, max_scroll_depth = merged.max_scroll_depth, click_count = merged.click_count,
      is_bounce = merged.is_bounce
    FROM jsonb_populate_recordset(NULL::early_access.sessions, ${tx.json(rows)}) AS merged WHERE stored.id = merged.id
  `;
}

/** Stores with each session of these visitors when the one before it started. */
async function orderSessions(tx: Transaction, visitorIds: readonly string[]): Promise<void> {
  await tx`
    UPDATE early_access.sessions AS stored SET previous_start = ordered.before
    FROM (
      -- The one before the first may be pruned.
      SELECT id, coalesce(
        lag(session_start) OVER (PARTITION BY visitor_id ORDER BY session_start, id COLLATE "C"), previous_start
      ) AS before
      FROM early_access.sessions WHERE visitor_id = ANY(${[...new Set(visitorIds)]}::text[])
    ) AS ordered
    WHERE stored.id = ordered.id AND stored.previous_start IS DISTINCT FROM ordered.before
  `;
}

/** Removes a session and takes it out of all figures. Returns whether it was stored. */
async function removeSession(tx: Transaction, id: string): Promise<boolean> {
  const [removed] = await tx`
    DELETE FROM early_access.sessions WHERE id = ${id} RETURNING visitor_id, session_start, previous_start
  `;
  if (removed === undefined) return false;
  const start = integer(removed, 'session_start');
  await tx`
    UPDATE early_access.sessions SET previous_start = ${integerOrNull(removed, 'previous_start')} WHERE id = (
      SELECT id FROM early_access.sessions
      WHERE visitor_id = ${text(removed, 'visitor_id')} AND (session_start, id COLLATE "C") > (${start}, ${id})
      ORDER BY session_start, id COLLATE "C" LIMIT 1
    )
  `;
  // Its signups now count by what is stored with them.
  const signups = await tx`SELECT * FROM early_access.email_signups WHERE session_id = ${id}`;
  const trafficSources = await findSourceIds(
    tx,
    signups.map((row) => ({ trafficSource: toSignupSource(toSignup(row)), time: integer(row, 'created_at') })),
  );
  await tx`
    UPDATE early_access.email_signups AS signup SET touch_id = new.touch_id
    FROM unnest(${signups.map((row) => integer(row, 'id'))}::bigint[], ${[...trafficSources]}::bigint[]) AS new (id, touch_id)
    WHERE signup.id = new.id
  `;
  return true;
}

/** Erases a session, which later updates do not bring back. Returns whether it was stored. */
export async function eraseSession(tx: Transaction, id: string, now: number): Promise<boolean> {
  await tx`
    INSERT INTO early_access.erased_sessions VALUES (${sha256(id)}, ${now})
    ON CONFLICT (id_hash) DO UPDATE SET erased_at = excluded.erased_at
  `;
  return removeSession(tx, id);
}
