const SUMS = ['sessions', 'bounces', 'duration', 'timed_sessions', 'engaged_sessions'] as const;

/** The value that a row of `sessions` adds to each total. The numbers are `ENGAGED_SECONDS` and `ENGAGED_DEPTH`. */
const listSums = (row: 'old' | 'new') =>
  ({
    sessions: '1',
    bounces: `${row}.is_bounce`,
    duration: `${row}.total_duration`,
    timed_sessions: `(${row}.total_duration > 0)`,
    engaged_sessions: `(${row}.total_duration >= 10 OR ${row}.max_scroll_depth >= 50)`,
  }) as const;

/** True for a visitor's first session of a UTC day. */
const isFirst = (row: 'old' | 'new') => `ifnull(${row}.previous_start < ${row}.session_start / 86400000 * 86400000, 1)`;

const added = SUMS.map((sum) => `${sum} = ${sum} + excluded.${sum}`).join(', ');
const subtracted = SUMS.map((sum) => `${sum} = ${sum} - ${listSums('old')[sum]}`).join(', ');
const moved = SUMS.filter((sum) => sum !== 'sessions')
  .map((sum) => `${sum} = ${sum} + ${listSums('new')[sum]} - ${listSums('old')[sum]}`)
  .join(', ');
const values = Object.values(listSums('new')).join(', ');

const oldReturn = 'hour = old.session_start / 3600000 AND previous_hour = old.previous_start / 3600000';
const addReturn = `
    INSERT INTO returns SELECT new.session_start / 3600000, new.previous_start / 3600000, 1
      WHERE new.previous_start IS NOT NULL
      ON CONFLICT DO UPDATE SET sessions = sessions + 1;
    INSERT INTO analytics_hours (hour, followed) SELECT new.previous_start / 3600000, 1 WHERE new.previous_start IS NOT NULL
      ON CONFLICT DO UPDATE SET followed = followed + 1;`;
const removeReturn = `
    UPDATE returns SET sessions = sessions - 1 WHERE ${oldReturn};
    DELETE FROM returns WHERE ${oldReturn} AND sessions = 0;
    UPDATE analytics_hours SET followed = followed - 1 WHERE hour = old.previous_start / 3600000;`;

const addSignup = `
    INSERT INTO analytics_hours (hour, signups) VALUES (new.created_at / 3600000, 1)
      ON CONFLICT DO UPDATE SET signups = signups + 1;
    INSERT INTO analytics_days (day, traffic_source_id, signups) VALUES (new.created_at / 86400000, new.traffic_source_id, 1)
      ON CONFLICT DO UPDATE SET signups = signups + 1;`;
const removeSignup = `
    UPDATE analytics_hours SET signups = signups - 1 WHERE hour = old.created_at / 3600000;
    UPDATE analytics_days SET signups = signups - 1 WHERE day = old.created_at / 86400000 AND traffic_source_id = old.traffic_source_id;`;

/** Adds the new row's page views and subtracts the old row's. */
const moveViews = (row: 'old' | 'new', added: string, removed: string) => `
    INSERT INTO analytics_pages
      SELECT ${row}.session_start / 86400000, ${row}.traffic_source_id, path, sum(sign) FROM (
        SELECT value ->> 1 AS path, 1 AS sign FROM json_each(${added}) UNION ALL SELECT value ->> 1, -1 FROM json_each(${removed})
      ) GROUP BY path HAVING sum(sign) <> 0
      ON CONFLICT DO UPDATE SET views = views + excluded.views;`;

const OPEN = ['referrer_host', 'utm_source', 'utm_medium', 'utm_campaign', 'landing_path'] as const;
const eachValue = (change: (dimension: (typeof OPEN)[number]) => string) => OPEN.map(change).join('');

/** Triggers keep the totals consistent with the rows, regardless of which program writes. */
export const ANALYTICS_SCHEMA = `
  -- The figures of part of a day are summed from the index alone; the rows they were read from are scattered over the file.
  CREATE INDEX sessions_by_start ON sessions (
    session_start, traffic_source_id, previous_start, visitor_id, is_bounce, total_duration, max_scroll_depth
  );
  CREATE UNIQUE INDEX traffic_sources_by_values ON traffic_sources (
    utm_source, referrer_host, landing_path, utm_campaign, utm_medium, browser, os, device_type, visitor_type
  );

  CREATE TRIGGER session_added AFTER INSERT ON sessions BEGIN
    INSERT INTO analytics_hours (hour, ${SUMS.join(', ')}) VALUES (new.session_start / 3600000, ${values})
      ON CONFLICT DO UPDATE SET ${added};
    INSERT INTO analytics_days (day, traffic_source_id, ${SUMS.join(', ')}, visitors)
      VALUES (new.session_start / 86400000, new.traffic_source_id, ${values}, ${isFirst('new')})
      ON CONFLICT DO UPDATE SET ${added}, visitors = visitors + excluded.visitors;${addReturn}
  END;

  CREATE TRIGGER session_totals_changed AFTER UPDATE OF page_count, total_duration, max_scroll_depth, is_bounce ON sessions
  WHEN new.total_duration <> old.total_duration OR new.is_bounce <> old.is_bounce
    OR (new.max_scroll_depth >= 50) <> (old.max_scroll_depth >= 50) BEGIN
    UPDATE analytics_hours SET ${moved} WHERE hour = new.session_start / 3600000;
    UPDATE analytics_days SET ${moved} WHERE day = new.session_start / 86400000 AND traffic_source_id = new.traffic_source_id;
  END;

  CREATE TRIGGER session_added_with_views AFTER INSERT ON sessions WHEN new.page_views IS NOT NULL BEGIN${moveViews('new', 'new.page_views', 'NULL')}
  END;

  CREATE TRIGGER session_views_changed AFTER UPDATE OF page_views ON sessions BEGIN${moveViews('new', 'new.page_views', 'old.page_views')}
  END;

  CREATE TRIGGER session_previous_changed AFTER UPDATE OF previous_start ON sessions BEGIN${removeReturn}${addReturn}
    UPDATE analytics_days SET visitors = visitors + ${isFirst('new')} - ${isFirst('old')}
      WHERE day = new.session_start / 86400000 AND traffic_source_id = new.traffic_source_id AND ${isFirst('new')} <> ${isFirst('old')};
  END;

  -- The sums of sessions that are pruned stay, and so does the time of the one before in the session that follows.
  CREATE TRIGGER session_removed AFTER DELETE ON sessions WHEN (SELECT is_pruning FROM totals) = 0 BEGIN
    UPDATE sessions SET previous_start = old.previous_start WHERE rowid = (
      SELECT rowid FROM sessions WHERE visitor_id = old.visitor_id AND (session_start, id) > (old.session_start, old.id)
        ORDER BY session_start, id LIMIT 1
    );${removeReturn}${moveViews('old', 'NULL', 'old.page_views')}
    UPDATE analytics_hours SET ${subtracted} WHERE hour = old.session_start / 3600000;
    UPDATE analytics_days SET ${subtracted}, visitors = visitors - ${isFirst('old')}
      WHERE day = old.session_start / 86400000 AND traffic_source_id = old.traffic_source_id;
  END;

  CREATE TRIGGER counted_signup_added AFTER INSERT ON email_signups WHEN new.traffic_source_id IS NOT NULL BEGIN${addSignup}
  END;

  CREATE TRIGGER signup_source_changed AFTER UPDATE OF traffic_source_id ON email_signups WHEN new.traffic_source_id <> old.traffic_source_id BEGIN${addSignup}${removeSignup}
  END;

  CREATE TRIGGER counted_signup_removed AFTER DELETE ON email_signups WHEN old.traffic_source_id IS NOT NULL BEGIN${removeSignup}
  END;

  -- A traffic source and its values are stored as long as something counts as them, so that nothing is left of an erased session.
  CREATE TRIGGER analytics_day_added AFTER INSERT ON analytics_days BEGIN
    UPDATE traffic_sources SET uses = uses + 1 WHERE id = new.traffic_source_id;${eachValue(
      (dimension) => `
    INSERT INTO analytics_values SELECT new.day, '${dimension}', ${dimension}, 1 FROM traffic_sources
      WHERE id = new.traffic_source_id AND ${dimension} <> '' ON CONFLICT DO UPDATE SET uses = uses + 1;`,
    )}
  END;

  CREATE TRIGGER analytics_day_emptied AFTER UPDATE OF sessions, signups ON analytics_days WHEN new.sessions = 0 AND new.signups = 0 BEGIN
    DELETE FROM analytics_days WHERE day = new.day AND traffic_source_id = new.traffic_source_id;
  END;

  CREATE TRIGGER analytics_page_added AFTER INSERT ON analytics_pages BEGIN
    INSERT INTO analytics_values VALUES (new.day, 'page_path', new.path, new.views)
      ON CONFLICT DO UPDATE SET uses = uses + excluded.uses;
  END;

  CREATE TRIGGER analytics_page_changed AFTER UPDATE OF views ON analytics_pages WHEN new.views > 0 BEGIN
    UPDATE analytics_values SET uses = uses + new.views - old.views
      WHERE day = new.day AND dimension = 'page_path' AND value = new.path;
  END;

  CREATE TRIGGER analytics_page_emptied AFTER UPDATE OF views ON analytics_pages WHEN new.views = 0 BEGIN
    DELETE FROM analytics_pages WHERE day = new.day AND traffic_source_id = new.traffic_source_id AND path = new.path;
    UPDATE analytics_values SET uses = uses - old.views WHERE day = new.day AND dimension = 'page_path' AND value = new.path;
    DELETE FROM analytics_values WHERE day = new.day AND dimension = 'page_path' AND value = new.path AND uses = 0;
  END;

  CREATE TRIGGER analytics_day_removed AFTER DELETE ON analytics_days BEGIN${eachValue(
    (dimension) => `
    UPDATE analytics_values SET uses = uses - 1 WHERE day = old.day AND dimension = '${dimension}'
      AND value = (SELECT ${dimension} FROM traffic_sources WHERE id = old.traffic_source_id);
    DELETE FROM analytics_values WHERE day = old.day AND dimension = '${dimension}' AND uses = 0
      AND value = (SELECT ${dimension} FROM traffic_sources WHERE id = old.traffic_source_id);`,
  )}
    UPDATE traffic_sources SET uses = uses - 1 WHERE id = old.traffic_source_id;
    DELETE FROM traffic_sources WHERE id = old.traffic_source_id AND uses = 0;
  END;
`;

/** Added in the step in which traffic sources get a country. */
export const COUNTRY_INDEX = `
  CREATE UNIQUE INDEX traffic_sources_by_values ON traffic_sources (
    utm_source, referrer_host, landing_path, utm_campaign, utm_medium, browser, os, device_type, visitor_type, country
  );
`;
