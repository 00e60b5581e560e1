import {
  clampDuration,
  DAY_MS,
  INITIAL_TOTALS,
  mergeSession,
  type SessionRecord,
  toSessionRecord,
} from 'early-access-kit/internal';
import { sha256 } from '../../app/access/secrets.ts';
import { OTHER } from '../../app/analytics/analytics.ts';
import { addPageView, type PageView } from '../../app/analytics/page-views.ts';
import { toSessionSource, toSignupSource } from '../../app/analytics/traffic-source.ts';
import { SESSION_COLUMNS, toSession, toSessionRow, toSignup } from '../sql/record-rows.ts';
import { integer, integerOrNull, text, textOrNull } from '../sql/row.ts';
import type { SessionWrite } from '../sql/sql-store.ts';
import { list, raw, runTogether, runUnread, type Statement, sql, type Transaction } from '../sql/statement.ts';
import { findSourceIds, limitPaths } from './analytics/traffic-sources.ts';

/** Stores sessions, or merges totals into stored ones. Ignores erased sessions. */
export function* saveSessions(writes: readonly SessionWrite[]): Transaction<readonly undefined[]> {
  const ids = [...new Set(writes.map(({ start }) => start.id))];
  const [rows = [], erasedRows = []] = yield* runTogether([
    sql`SELECT * FROM @sessions WHERE id IN (${list(ids)})`,
    sql`SELECT id_hash FROM @erased_sessions WHERE id_hash IN (${list(ids.map(sha256))})`,
  ]);
  const stored = new Map(rows.map((row) => [text(row, 'id'), toSession(row)]));
  const sessions = new Map(stored);
  const views = new Map(rows.map((row) => [text(row, 'id'), textOrNull(row, 'page_views')]));
  const countries = new Map<string, string | null>();
  const erased = new Set(erasedRows.map((row) => text(row, 'id_hash')));
  const wanted: { readonly id: string; readonly view: PageView; readonly day: number }[] = [];
  for (const { start, totals, view, country = null, now } of writes) {
    const session = sessions.get(start.id);
    if (session !== undefined) {
      if (totals !== undefined) {
        sessions.set(start.id, mergeSession(session, clampDuration(totals, session.session_start, now)));
      }
    } else if (!erased.has(sha256(start.id))) {
      const first = clampDuration(totals ?? INITIAL_TOTALS, start.session_start, now);
      sessions.set(start.id, toSessionRecord(start, first));
      countries.set(start.id, country);
    }
    const merged = sessions.get(start.id);
    if (view !== undefined && merged !== undefined) {
      wanted.push({ id: start.id, view, day: Math.floor(merged.session_start / DAY_MS) });
    }
  }
  const paths = yield* limitPaths(wanted.map(({ view, day }) => ({ path: view.path, day })));
  for (const [index, { id, view }] of wanted.entries()) {
    const stored = views.get(id) ?? null;
    views.set(id, addPageView(stored, { ...view, path: paths[index] ?? OTHER }) ?? stored);
  }
  const all = [...sessions.values()].map((session) => ({
    session,
    page_views: views.get(session.id) ?? null,
    country: countries.get(session.id) ?? null,
  }));
  yield* insertSessions(all.filter(({ session }) => !stored.has(session.id)));
  yield* updateSessions(all.filter(({ session }) => stored.has(session.id) && session !== stored.get(session.id)));
  return writes.map(() => undefined);
}

const COLUMNS = raw(SESSION_COLUMNS);

interface ViewedSession {
  readonly session: SessionRecord;
  readonly page_views: string | null;
  /** Null if the session is already stored, which has its own country. */
  readonly country: string | null;
}

function* insertSessions(sessions: readonly ViewedSession[]): Transaction<void> {
  if (sessions.length === 0) return;
  const trafficSources = yield* findSourceIds(
    sessions.map(({ session, country }) => ({
      trafficSource: toSessionSource({ ...session, country }),
      time: session.session_start,
    })),
  );
  const rows = sessions.map(({ session, page_views, country }, index) => ({
    ...toSessionRow(session),
    page_views,
    country,
    traffic_source_id: trafficSources[index] ?? 0,
  }));
  yield* runUnread(sql`
    INSERT INTO @sessions (${COLUMNS})
    SELECT ${COLUMNS} FROM jsonb_populate_recordset(NULL::@sessions, ${JSON.stringify(rows)})
  `);
  yield* runUnread(orderSessions(sessions.map(({ session }) => session.visitor_id)));
  // Signups count under the traffic source of their session.
  yield* runUnread(sql`
    UPDATE @email_signups AS signup SET traffic_source_id = session.traffic_source_id FROM @sessions AS session
    WHERE signup.session_id = session.id AND session.id IN (${list(sessions.map(({ session }) => session.id))})
      AND signup.traffic_source_id <> session.traffic_source_id
  `);
}

function* updateSessions(sessions: readonly ViewedSession[]): Transaction<void> {
  if (sessions.length === 0) return;
  const rows = sessions.map(({ session, page_views }) => ({ ...toSessionRow(session), page_views }));
  // The limit tells Postgres the number of sessions; see `each`.
  yield* runUnread(sql`
    UPDATE @sessions AS stored SET session_end = merged.session_end, page_count = merged.page_count,
      total_duration = merged.total_duration, max_scroll_depth = merged.max_scroll_depth, click_count = merged.click_count,
      is_bounce = merged.is_bounce, page_views = merged.page_views
    FROM (SELECT * FROM jsonb_populate_recordset(NULL::@sessions, ${JSON.stringify(rows)}) LIMIT ${rows.length}) AS merged
    WHERE stored.id = merged.id
  `);
}

/** Stores for each session of these visitors when their previous one started. */
function orderSessions(visitorIds: readonly string[]): Statement {
  return sql`
    UPDATE @sessions AS stored SET previous_start = ordered.before
    FROM (
      -- The one before the first may be pruned.
      SELECT id, coalesce(
        lag(session_start) OVER (PARTITION BY visitor_id ORDER BY session_start, id COLLATE "C"), previous_start
      ) AS before
      FROM @sessions WHERE visitor_id IN (${list([...new Set(visitorIds)])})
    ) AS ordered
    WHERE stored.id = ordered.id AND stored.previous_start IS DISTINCT FROM ordered.before
  `;
}

/** Deletes a session and removes it from all figures. */
export function* removeSession(id: string): Transaction<void> {
  const [removed] =
    yield* sql`DELETE FROM @sessions WHERE id = ${id} RETURNING visitor_id, session_start, previous_start`;
  if (removed === undefined) return;
  yield* sql`
    UPDATE @sessions SET previous_start = ${integerOrNull(removed, 'previous_start')} WHERE id = (
      SELECT id FROM @sessions WHERE visitor_id = ${text(removed, 'visitor_id')}
        AND (session_start, id) > (${integer(removed, 'session_start')}, ${id})
      ORDER BY session_start, id LIMIT 1
    )
  `;
  // Its signups now count under their own traffic source.
  const signups = yield* sql`SELECT * FROM @email_signups WHERE session_id = ${id}`;
  const trafficSources = yield* findSourceIds(
    signups.map((row) => ({ trafficSource: toSignupSource(toSignup(row)), time: integer(row, 'created_at') })),
  );
  const moved = signups.map(({ id }, index) => ({ id, traffic_source_id: trafficSources[index] }));
  yield* sql`
    UPDATE @email_signups AS signup SET traffic_source_id = new.traffic_source_id
    FROM jsonb_to_recordset(${JSON.stringify(moved)}) AS new (id bigint, traffic_source_id bigint) WHERE signup.id = new.id
  `;
}
