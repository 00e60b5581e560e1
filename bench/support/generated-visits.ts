import type { DatabaseSync } from 'node:sqlite';

const DAY_MS = 86_400_000;

/** Adds visits of the 30 days before `now` until there are `count`, in no order, by about half as many visitors. */
export function addVisits(db: DatabaseSync, count: number, now: number): void {
  const have = Number(db.prepare('SELECT count(*) AS visits FROM sessions').get()?.visits);
  db.exec(
    'PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000; PRAGMA temp_store = FILE',
  );
  db.prepare(`
    INSERT INTO sessions (id, visitor_id, session_start, session_end, page_count, total_duration, referrer, user_agent,
      device_type, browser, os, is_returning_visitor, total_sessions, max_scroll_depth, click_count, is_bounce)
    WITH RECURSIVE visit (n, start) AS (
      SELECT 1, :now - abs(random() % :window) UNION ALL SELECT n + 1, :now - abs(random() % :window) FROM visit WHERE n < :more
    )
    SELECT
      lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4000-8000-' || hex(randomblob(6))),
      printf('%08x', abs(random() % :visitors)), start, start + 60000, 1 + n % 2, n % 600, 'https://search.example/',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'mobile', 'Safari', 'iOS', 0, 1, n % 101, n % 7, (n + 1) % 2
    FROM visit
  `).run({ now, window: 30 * DAY_MS, more: count - have, visitors: Math.ceil(count * 0.7) });
  db.exec(`
    DELETE FROM visitors;
    INSERT INTO visitors SELECT visitor_id, max(session_start) FROM sessions GROUP BY visitor_id;
    DELETE FROM session_hours;
    INSERT INTO session_hours (hour, sessions, bounces, duration, timed_sessions, visitors)
      SELECT session_start / 3600000, count(*), sum(is_bounce), sum(total_duration), sum(total_duration > 0), 0
      FROM sessions GROUP BY 1;
    UPDATE session_hours SET visitors = seen.visitors
      FROM (SELECT last_seen / 3600000 AS hour, count(*) AS visitors FROM visitors GROUP BY 1) AS seen
      WHERE seen.hour = session_hours.hour;
    PRAGMA journal_mode = WAL;
  `);
}
