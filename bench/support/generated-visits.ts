import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from 'early-access-kit/core';

/** Adds visits of the 30 days before `now` until there are `count`, in the order of time as a server stores them, by about half as many visitors. */
export function addVisits(db: DatabaseSync, count: number, now: number): void {
  const have = Number(db.prepare('SELECT count(*) AS visits FROM sessions').get()?.visits);
  // Nothing is lost if this ends early, so no journal is written. A defensive connection, which is the default, would write one.
  db.enableDefensive(false);
  db.exec(
    'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000; PRAGMA temp_store = FILE',
  );
  db.prepare(`
    INSERT INTO sessions (id, visitor_id, session_start, session_end, page_count, total_duration, referrer, user_agent,
      device_type, browser, os, is_returning_visitor, total_sessions, max_scroll_depth, click_count, is_bounce,
      landing_path, utm_source, utm_medium, utm_campaign)
    WITH RECURSIVE visit (n, start, campaign, page, device) AS (
      SELECT 1, CAST(:now - :window AS INTEGER), 0, 0, 0
      UNION ALL SELECT n + 1, CAST(:now - :window + n * :window / :more AS INTEGER), max(0, abs(random() % 20) - 12),
        min(abs(random() % 20), abs(random() % 20)), abs(random() % 6) FROM visit WHERE n < :more
    )
    SELECT
      lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4000-8000-' || hex(randomblob(6))),
      printf('%08x', abs(random() % :visitors)), start, start + 60000, 1 + n % 2, n % 600,
      'https://referrer-' || iif(campaign > 0, campaign % 3, page) || '.example/',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      iif(device < 3, 'mobile', 'desktop'), iif(device % 2 = 0, 'Safari', 'Chrome'), iif(device % 3 = 0, 'iOS', 'macOS'),
      n % 3 = 0, 1, n % 101, n % 7, (n + 1) % 2, '/page-' || iif(campaign > 0, campaign % 2, page / 2),
      iif(campaign > 0, 'source-' || (campaign % 3), NULL), iif(campaign > 0, 'email', NULL), iif(campaign > 0, 'campaign-' || campaign, NULL)
    FROM visit
  `).run({ now, window: 30 * DAY_MS, more: count - have, visitors: Math.ceil(count * 0.7) });
  countVisits(db);
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

/** Counts them for the dashboard, in a few statements instead of one by one as a store does. The triggers add up the sums. */
function countVisits(db: DatabaseSync): void {
  const values = `
    replace(replace(referrer, 'https://', ''), '/', '') AS referrer_host, ifnull(utm_source, '') AS utm_source,
    ifnull(utm_medium, '') AS utm_medium, ifnull(utm_campaign, '') AS utm_campaign, landing_path, device_type, browser, os,
    iif(is_returning_visitor, 'returning', 'new') AS visitor_type
  `;
  db.exec(`
    INSERT OR IGNORE INTO touches (referrer_host, utm_source, utm_medium, utm_campaign, landing_path, device_type, browser, os, visitor_type)
      SELECT DISTINCT ${values} FROM sessions WHERE touch_id IS NULL;
    UPDATE sessions SET touch_id = touch.id FROM (
      SELECT counted.visit, touches.id FROM (SELECT rowid AS visit, ${values} FROM sessions WHERE touch_id IS NULL) AS counted
      JOIN touches USING (utm_source, referrer_host, landing_path, utm_campaign, utm_medium, browser, os, device_type, visitor_type)
    ) AS touch WHERE touch.visit = sessions.rowid;
    UPDATE sessions SET previous_start = ordered.previous FROM (
      SELECT rowid AS visit, lag(session_start) OVER (PARTITION BY visitor_id ORDER BY session_start, id) AS previous FROM sessions
    ) AS ordered WHERE ordered.visit = sessions.rowid AND ordered.previous IS NOT previous_start;
  `);
}
