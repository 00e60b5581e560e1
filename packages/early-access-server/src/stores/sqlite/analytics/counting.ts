import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS, type EmailSignup, type SessionStart } from 'early-access-kit/internal';
import { DIMENSIONS, fitsIndex, MAX_VALUES_PER_DAY, OTHER } from '../../../app/analytics/analytics.ts';
import {
  limitSource,
  type OpenDimension,
  type TrafficSource,
  toSessionSource,
  toSignupSource,
} from '../../../app/analytics/traffic-source.ts';
import { toSignup } from '../../sql/record-rows.ts';
import { integer } from '../../sql/row.ts';
import { sql, type Transaction } from '../../sql/statement.ts';
import { prepareInsert } from '../insert.ts';

export type Counting = ReturnType<typeof counting>;

/** Counts rows in the dashboard's figures. Each method must run inside a transaction. */
export function counting(db: DatabaseSync) {
  // Checked first, because most visitors have no other session, and most sessions no signup yet.
  const around = db.prepare(`
    SELECT EXISTS (SELECT 1 FROM sessions WHERE visitor_id = ?) AS has_others,
      EXISTS (SELECT 1 FROM email_signups WHERE session_id = ?) AS has_signups
  `);
  const previous = db.prepare(`
    SELECT session_start FROM sessions WHERE visitor_id = ? AND (session_start, id) < (?, ?)
    ORDER BY session_start DESC, id DESC LIMIT 1
  `);
  const setNext = db.prepare(`
    UPDATE sessions SET previous_start = ? WHERE rowid = (
      SELECT rowid FROM sessions WHERE visitor_id = ? AND (session_start, id) > (?, ?) ORDER BY session_start, id LIMIT 1
    )
  `);
  const moveSignups = db.prepare('UPDATE email_signups SET traffic_source_id = ? WHERE session_id = ?');
  const sessionSource = db.prepare('SELECT traffic_source_id FROM sessions WHERE id = ?');
  const hasRoom = roomFinder(db);
  const findSourceId = sourceFinder(db, hasRoom);

  /** Inserts a new session between the visitor's other sessions. Returns when the previous one started, or null. */
  function insertBetween({ id, visitor_id, session_start }: SessionStart): number | null {
    setNext.run(session_start, visitor_id, session_start, id);
    const before = previous.get(visitor_id, session_start, id);
    return before === undefined ? null : integer(before, 'session_start');
  }

  return {
    /**
     * Returns the columns to store with a new session, links it before the visitor's next one, and moves its signups to
     * its traffic source. Call it right before storing the session.
     */
    placeSession(session: SessionStart & { readonly country: string | null }) {
      const { id, visitor_id, session_start } = session;
      const row = around.get(visitor_id, id);
      const previous_start = integer(row, 'has_others') === 1 ? insertBetween(session) : null;
      const traffic_source_id = findSourceId(toSessionSource(session), session_start);
      if (integer(row, 'has_signups') === 1) moveSignups.run(traffic_source_id, id);
      return { traffic_source_id, previous_start };
    },
    /** The path under which a page view counts, in a session that started at `time`. */
    limitPath: (path: string, time: number) =>
      fitsIndex(path) && hasRoom(Math.floor(time / DAY_MS), 'page_path', path) ? path : OTHER,
    /** Deletes a session, which triggers remove from all figures. Its signups then count under their own source. */
    *removeSession(id: string): Transaction<void> {
      yield* sql`DELETE FROM @sessions WHERE id = ${id}`;
      for (const row of yield* sql`SELECT * FROM @email_signups WHERE session_id = ${id}`) {
        const trafficSourceId = findSourceId(toSignupSource(toSignup(row)), integer(row, 'created_at'));
        yield* sql`UPDATE @email_signups SET traffic_source_id = ${trafficSourceId} WHERE id = ${integer(row, 'id')}`;
      }
    },
    /** The traffic source of a new signup: that of its session if it is stored, otherwise the signup's own. */
    findSignupSource({ session_id, ...origin }: EmailSignup, createdAt: number): number {
      const session = session_id === null ? undefined : sessionSource.get(session_id);
      return session === undefined
        ? findSourceId(toSignupSource(origin), createdAt)
        : integer(session, 'traffic_source_id');
    },
  };
}

/** Returns whether a day has room for a value of a dimension, or for a path. */
type HasRoom = (day: number, dimension: OpenDimension | 'page_path', value: string) => boolean;

function roomFinder(db: DatabaseSync): HasRoom {
  const hasValue = db.prepare('SELECT 1 FROM analytics_values WHERE day = ? AND dimension = ? AND value = ?');
  const countValues = db.prepare('SELECT count(*) AS count FROM analytics_values WHERE day = ? AND dimension = ?');
  return (day, dimension, value) =>
    hasValue.get(day, dimension, value) !== undefined ||
    integer(countValues.get(day, dimension), 'count') < MAX_VALUES_PER_DAY;
}

/** Returns the id of a traffic source on the day of `time`. Values beyond the day's limit become `OTHER`. */
function sourceFinder(db: DatabaseSync, hasRoom: HasRoom): (trafficSource: TrafficSource, time: number) => number {
  const find = db.prepare(`
    SELECT id, EXISTS (SELECT 1 FROM analytics_days WHERE day = ? AND traffic_source_id = id) AS is_of_day FROM traffic_sources
    WHERE ${DIMENSIONS.map((dimension) => `${dimension} = ?`).join(' AND ')}
  `);
  const insert = prepareInsert(db, 'traffic_sources', DIMENSIONS.join(', '));
  const findStored = (day: number, trafficSource: TrafficSource) =>
    find.get(day, ...DIMENSIONS.map((dimension) => trafficSource[dimension]));

  return (trafficSource, time) => {
    const day = Math.floor(time / DAY_MS);
    const known = findStored(day, trafficSource);
    if (known?.is_of_day === 1) return integer(known, 'id');
    const bounded = limitSource(trafficSource, (dimension, value) => hasRoom(day, dimension, value));
    const found = findStored(day, bounded);
    return found === undefined ? insert(bounded) : integer(found, 'id');
  };
}
