/**
 * Sessions, and the totals that all figures are computed from. Triggers keep the totals consistent with the rows,
 * regardless of which program writes.
 */
export const ANALYTICS_TABLES = `
  -- previous_start: when the visitor's previous session started, in the order of (session_start, id). traffic_source_id: what the session counts as.
  -- page_views: views of pages after the first, in JSON: each its number and the path that it counts for.
  CREATE TABLE @sessions (
    id #key NOT NULL PRIMARY KEY,
    visitor_id text NOT NULL,
    session_start #bigint NOT NULL,
    session_end #bigint,
    page_count #bigint NOT NULL,
    total_duration #bigint NOT NULL,
    referrer text,
    user_agent text NOT NULL,
    device_type text NOT NULL,
    browser text NOT NULL,
    os text NOT NULL,
    is_returning_visitor integer NOT NULL,
    total_sessions #bigint NOT NULL,
    max_scroll_depth #bigint NOT NULL,
    click_count #bigint NOT NULL,
    is_bounce integer NOT NULL,
    landing_path text,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    previous_start #bigint,
    traffic_source_id #bigint NOT NULL,
    page_views text
  ) #rows;
  CREATE INDEX sessions_by_previous ON @sessions (previous_start) WHERE previous_start IS NOT NULL;
  CREATE INDEX sessions_by_visitor ON @sessions (visitor_id, session_start);
  CREATE INDEX sessions_with_views ON @sessions (session_start) WHERE page_views IS NOT NULL;
  CREATE INDEX sessions_shared ON @sessions (utm_content) WHERE utm_source = 'share';
  CREATE INDEX sessions_by_end ON @sessions (session_end) WHERE session_end IS NOT NULL;

  -- Hashes of the ids of erased sessions, so that a page that is still open does not store its session again.
  CREATE TABLE @erased_sessions (id_hash #key PRIMARY KEY, erased_at #bigint NOT NULL) #keyed;
  CREATE INDEX erased_sessions_by_time ON @erased_sessions (erased_at);

  -- A combination of values that sessions and signups have. uses: its rows in analytics_days.
  CREATE TABLE @traffic_sources (
    id #id,
    referrer_host text NOT NULL,
    utm_source text NOT NULL,
    utm_medium text NOT NULL,
    utm_campaign text NOT NULL,
    landing_path text NOT NULL,
    device_type text NOT NULL,
    browser text NOT NULL,
    os text NOT NULL,
    visitor_type text NOT NULL,
    uses #bigint NOT NULL DEFAULT 0
  ) #rows;

  -- Values of a dimension, or paths of pages as 'page_path', on a UTC day, so that their number can be bounded. uses: rows of
  -- analytics_days with it, or views of the path in analytics_pages.
  CREATE TABLE @analytics_values (
    day #bigint NOT NULL,
    dimension text NOT NULL,
    value text NOT NULL,
    uses #bigint NOT NULL,
    PRIMARY KEY (day, dimension, value)
  ) #keyed;

  -- Sums per hour. followed: sessions that another session of their visitor follows, at any time; the others are the last of their visitor.
  -- robots: visits of robots, which nothing else is stored about. human_*: signups that a human check refused, by the reason. imported:
  -- people whom imports added.
  CREATE TABLE @analytics_hours (
    hour #bigint PRIMARY KEY,
    sessions #bigint NOT NULL DEFAULT 0,
    bounces #bigint NOT NULL DEFAULT 0,
    duration #bigint NOT NULL DEFAULT 0,
    timed_sessions #bigint NOT NULL DEFAULT 0,
    engaged_sessions #bigint NOT NULL DEFAULT 0,
    followed #bigint NOT NULL DEFAULT 0,
    signups #bigint NOT NULL DEFAULT 0,
    robots #bigint NOT NULL DEFAULT 0,
    human_missing #bigint NOT NULL DEFAULT 0,
    human_refused #bigint NOT NULL DEFAULT 0,
    human_replayed #bigint NOT NULL DEFAULT 0,
    human_unreachable #bigint NOT NULL DEFAULT 0,
    imported #bigint NOT NULL DEFAULT 0
  ) #rows;

  -- Sums per UTC day and traffic source. visitors: sessions that are their visitor's first of the day.
  CREATE TABLE @analytics_days (
    day #bigint NOT NULL,
    traffic_source_id #bigint NOT NULL,
    sessions #bigint NOT NULL DEFAULT 0,
    bounces #bigint NOT NULL DEFAULT 0,
    duration #bigint NOT NULL DEFAULT 0,
    timed_sessions #bigint NOT NULL DEFAULT 0,
    engaged_sessions #bigint NOT NULL DEFAULT 0,
    visitors #bigint NOT NULL DEFAULT 0,
    signups #bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (day, traffic_source_id)
  ) #keyed;

  -- Views of pages after the first of their session, per UTC day and traffic source of the session.
  CREATE TABLE @analytics_pages (
    day #bigint NOT NULL,
    traffic_source_id #bigint NOT NULL,
    path #key NOT NULL,
    views #bigint NOT NULL,
    PRIMARY KEY (day, traffic_source_id, path)
  ) #keyed;

  -- Sessions by the hour they started in and the hour in which their visitor's previous session started. The distinct visitors of a
  -- period are its sessions without those whose previous session started in it too.
  CREATE TABLE @returns (
    hour #bigint NOT NULL,
    previous_hour #bigint NOT NULL,
    sessions #bigint NOT NULL,
    PRIMARY KEY (hour, previous_hour)
  ) #keyed;
`;
