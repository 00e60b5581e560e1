import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS, type EmailSignup, type SessionStart } from 'early-access-kit/core';
import { MAX_VALUES_PER_DAY } from '../../../app/analytics/analytics.ts';
import {
  limitSource,
  type TrafficSource,
  toSessionSource,
  toSignupSource,
} from '../../../app/analytics/traffic-source.ts';
import { integer, presentTexts, textOrNull } from '../../sql/row.ts';

const UTM = ['utm_source', 'utm_medium', 'utm_campaign'] as const;

/** The traffic source of a session, and when its visitor's previous session started. */
interface Place {
  readonly touch_id: number;
  readonly previous_start: number | null;
}

type Origin = Parameters<typeof toSignupSource>[0];

/** Makes rows count in the figures of the dashboard. Each method is one member of a transaction. */
export interface Counting {
  /**
   * Returns what to store with a new session, puts it before its visitor's next one, and moves the signups made in it to where it came from.
   * Call it right before storing the session.
   */
  placeSession(session: SessionStart): Place;
  /** Counts the signups made in a session that was just removed by what is stored with them. */
  recountSignups(sessionId: string): void;
  /** The source to store with a new signup: the traffic source of its session if that is stored, otherwise the signup's. */
  findSignupSource(signup: Origin & Pick<EmailSignup, 'session_id'>, createdAt: number): number;
}

export function counting(db: DatabaseSync): Counting {
  // Most visitors have no other session, and most sessions no signup yet.
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
  const moveSignups = db.prepare('UPDATE email_signups SET touch_id = ? WHERE session_id = ?');
  const sessionSource = db.prepare('SELECT touch_id FROM sessions WHERE id = ?');
  const setSignup = db.prepare('UPDATE email_signups SET touch_id = ? WHERE id = ?');
  const signupsOf = db.prepare('SELECT * FROM email_signups WHERE session_id = ?');
  const findSourceId = sourceFinder(db);

  /** Puts a new session between its visitor's others. Returns when the one before it started; null for none. */
  function insertBetween({ id, visitor_id, session_start }: SessionStart): number | null {
    setNext.run(session_start, visitor_id, session_start, id);
    const before = previous.get(visitor_id, session_start, id);
    return before === undefined ? null : integer(before, 'session_start');
  }

  return {
    placeSession(session) {
      const { id, visitor_id, session_start } = session;
      const row = around.get(visitor_id, id);
      const previous_start = integer(row, 'has_others') === 1 ? insertBetween(session) : null;
      const touch_id = findSourceId(toSessionSource(session), session_start);
      if (integer(row, 'has_signups') === 1) moveSignups.run(touch_id, id);
      return { touch_id, previous_start };
    },
    recountSignups(sessionId) {
      for (const row of signupsOf.all(sessionId)) {
        const origin = { referrer: textOrNull(row, 'referrer'), ...presentTexts(row, ['page_url', ...UTM]) };
        setSignup.run(findSourceId(toSignupSource(origin), integer(row, 'created_at')), integer(row, 'id'));
      }
    },
    findSignupSource({ session_id, ...origin }, createdAt) {
      const session = session_id === null ? undefined : sessionSource.get(session_id);
      return session === undefined ? findSourceId(toSignupSource(origin), createdAt) : integer(session, 'touch_id');
    },
  };
}

/** Returns the id of a traffic source on the day of `time`, with `OTHER` for the values that this day has no room for. */
function sourceFinder(db: DatabaseSync): (trafficSource: TrafficSource, time: number) => number {
  const find = db.prepare(`
    SELECT id, EXISTS (SELECT 1 FROM analytics_days WHERE day = ? AND touch_id = id) AS is_of_day FROM touches
    WHERE utm_source = ? AND referrer_host = ? AND landing_path = ? AND utm_campaign = ? AND utm_medium = ? AND browser = ?
      AND os = ? AND device_type = ? AND visitor_type = ?
  `);
  const insert = db.prepare(`
    INSERT INTO touches (utm_source, referrer_host, landing_path, utm_campaign, utm_medium, browser, os, device_type, visitor_type)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const hasValue = db.prepare('SELECT 1 FROM analytics_values WHERE day = ? AND dimension = ? AND value = ?');
  const countValues = db.prepare('SELECT count(*) AS count FROM analytics_values WHERE day = ? AND dimension = ?');

  return (trafficSource, time) => {
    const day = Math.floor(time / DAY_MS);
    const known = find.get(day, ...listColumns(trafficSource));
    if (known?.is_of_day === 1) return integer(known, 'id');
    const bounded = limitSource(
      trafficSource,
      (dimension, value) =>
        hasValue.get(day, dimension, value) !== undefined ||
        integer(countValues.get(day, dimension), 'count') < MAX_VALUES_PER_DAY,
    );
    const columns = listColumns(bounded);
    const found = find.get(day, ...columns);
    return found === undefined ? Number(insert.run(...columns).lastInsertRowid) : integer(found, 'id');
  };
}

function listColumns(trafficSource: TrafficSource) {
  const { utm_source, referrer_host, landing_path, utm_campaign, utm_medium, browser, os, device_type, visitor_type } =
    trafficSource;
  return [
    utm_source,
    referrer_host,
    landing_path,
    utm_campaign,
    utm_medium,
    browser,
    os,
    device_type,
    visitor_type,
  ] as const;
}
