import type { DatabaseSync } from 'node:sqlite';
import type { SessionRecord, SessionSums } from 'early-access-kit/core';

/** Length of the periods for which sums are stored. */
export const HOUR_MS = 3_600_000;

/** The fields of a session that the sums of its hour depend on. */
type Counted = Pick<SessionRecord, 'total_duration' | 'is_bounce'>;

/** Statements on `session_hours`: sums over the sessions that started in each hour, and the visitors last seen in it. */
export interface SessionHours {
  /** Subtracts `before` from the sums of the session's hour and adds `after`. */
  moveSession(sessionStart: number, before: Counted | null, after: Counted | null): void;
  /** Moves a visitor from the hour they were last seen in to another; null for none. */
  moveVisitor(before: number | null, after: number | null): void;
}

export function sessionHours(db: DatabaseSync): SessionHours {
  const add = db.prepare(`
    INSERT INTO session_hours (hour, sessions, bounces, duration, timed_sessions, visitors) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (hour) DO UPDATE SET sessions = sessions + excluded.sessions, bounces = bounces + excluded.bounces,
      duration = duration + excluded.duration, timed_sessions = timed_sessions + excluded.timed_sessions,
      visitors = visitors + excluded.visitors
  `);
  return {
    moveSession(sessionStart, before, after) {
      const [from, to] = [sumsOf(before), sumsOf(after)];
      const sessions = to.sessions - from.sessions;
      const bounces = to.bounces - from.bounces;
      const duration = to.duration - from.duration;
      const timed = to.timed_sessions - from.timed_sessions;
      // Whether a session is timed only changes with its duration.
      if (sessions === 0 && bounces === 0 && duration === 0) return;
      add.run(hourOf(sessionStart), sessions, bounces, duration, timed, 0);
    },
    moveVisitor(before, after) {
      if (before !== null && after !== null && hourOf(before) === hourOf(after)) return;
      if (before !== null) add.run(hourOf(before), 0, 0, 0, 0, -1);
      if (after !== null) add.run(hourOf(after), 0, 0, 0, 0, 1);
    },
  };
}

function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS);
}

function sumsOf(session: Counted | null): SessionSums {
  if (session === null) return { sessions: 0, bounces: 0, duration: 0, timed_sessions: 0 };
  const { total_duration, is_bounce } = session;
  return {
    sessions: 1,
    bounces: Number(is_bounce),
    duration: total_duration,
    timed_sessions: Number(total_duration > 0),
  };
}
