import { BROWSERS, DEVICE_TYPES, LANDING_FIELDS, OPERATING_SYSTEMS, type SessionRecord } from 'early-access-kit/core';
import { integer, integerOrNull, oneOf, presentTexts, type Row, text, textOrNull } from './row.ts';

/** The session in a row of `sessions`. */
export function toSession(row: Row): SessionRecord {
  return {
    id: text(row, 'id'),
    visitor_id: text(row, 'visitor_id'),
    session_start: integer(row, 'session_start'),
    session_end: integerOrNull(row, 'session_end'),
    page_count: integer(row, 'page_count'),
    total_duration: integer(row, 'total_duration'),
    referrer: textOrNull(row, 'referrer'),
    user_agent: text(row, 'user_agent'),
    device_type: oneOf(row, 'device_type', DEVICE_TYPES),
    browser: oneOf(row, 'browser', BROWSERS),
    os: oneOf(row, 'os', OPERATING_SYSTEMS),
    is_returning_visitor: integer(row, 'is_returning_visitor') === 1,
    total_sessions: integer(row, 'total_sessions'),
    max_scroll_depth: integer(row, 'max_scroll_depth'),
    click_count: integer(row, 'click_count'),
    is_bounce: integer(row, 'is_bounce') === 1,
    ...presentTexts(row, LANDING_FIELDS),
  };
}
