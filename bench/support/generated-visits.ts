import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from 'early-access-kit/internal';

const SOURCE =
  'utm_source, referrer_host, landing_path, utm_campaign, utm_medium, browser, os, device_type, visitor_type';

/**
 * Adds sessions of the 30 days before `now` until there are `count`, in order of time as a server stores them, by about
 * half as many visitors.
 */
export function addVisits(db: DatabaseSync, count: number, now: number): void {
  const have = Number(db.prepare('SELECT count(*) AS visits FROM sessions').get()?.visits);
  // A partial result is useless, so no journal is needed. Defensive connections, the default, would write one.
  db.enableDefensive(false);
  db.exec(
    'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000; PRAGMA temp_store = FILE',
  );
  db.prepare(`
    CREATE TEMP TABLE visit AS
    WITH RECURSIVE visit (n, start, campaign, page, device) AS (
      SELECT 1, CAST(:now - :window AS INTEGER), 0, 0, 0
      UNION ALL SELECT n + 1, CAST(:now - :window + n * :window / :more AS INTEGER), max(0, abs(random() % 20) - 12),
        min(abs(random() % 20), abs(random() % 20)), abs(random() % 6) FROM visit WHERE n < :more
    )
    SELECT
      n, start, printf('%08x', abs(random() % :visitors)) AS visitor,
      'referrer-' || iif(campaign > 0, campaign % 3, page) || '.example' AS referrer_host,
      '/page-' || iif(campaign > 0, campaign % 2, page / 2) AS landing_path,
      iif(campaign > 0, 'source-' || (campaign % 3), '') AS utm_source, iif(campaign > 0, 'email', '') AS utm_medium,
      iif(campaign > 0, 'campaign-' || campaign, '') AS utm_campaign,
      iif(device < 3, 'mobile', 'desktop') AS device_type, iif(device % 2 = 0, 'Safari', 'Chrome') AS browser,
      iif(device % 3 = 0, 'iOS', 'macOS') AS os, iif(n % 3 = 0, 'returning', 'new') AS visitor_type
    FROM visit
  `).run({ now, window: 30 * DAY_MS, more: count - have, visitors: Math.ceil(count * 0.7) });
  // Triggers compute the sums.
  db.exec(`
    INSERT OR IGNORE INTO traffic_sources (${SOURCE}) SELECT DISTINCT ${SOURCE} FROM visit;
    INSERT INTO sessions (id, visitor_id, session_start, session_end, page_count, total_duration, referrer, user_agent,
      device_type, browser, os, is_returning_visitor, total_sessions, max_scroll_depth, click_count, is_bounce,
      landing_path, utm_source, utm_medium, utm_campaign, traffic_source_id)
    SELECT
      lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4000-8000-' || hex(randomblob(6))),
      visitor, start, start + 60000, 1 + n % 2, n % 600, 'https://' || referrer_host || '/',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      device_type, browser, os, n % 3 = 0, 1, n % 101, n % 7, (n + 1) % 2,
      landing_path, nullif(utm_source, ''), nullif(utm_medium, ''), nullif(utm_campaign, ''), traffic_sources.id
    FROM visit JOIN traffic_sources USING (${SOURCE}) ORDER BY n;
    DROP TABLE visit;
    UPDATE sessions SET previous_start = ordered.previous FROM (
      SELECT rowid AS visit, lag(session_start) OVER (PARTITION BY visitor_id ORDER BY session_start, id) AS previous FROM sessions
    ) AS ordered WHERE ordered.visit = sessions.rowid AND ordered.previous IS NOT previous_start;
    PRAGMA journal_mode = WAL;
  `);
}
