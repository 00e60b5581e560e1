import {
  ATTRIBUTION_FIELDS,
  BROWSERS,
  DEVICE_TYPES,
  LANDING_FIELDS,
  OPERATING_SYSTEMS,
  type SessionRecord,
  type StoredSignup,
} from 'early-access-kit/core';
import { integer, integerOrNull, presentFields, presentTexts, type Row, readChoice, text, textOrNull } from './row.ts';

/** The signup in a row of `email_signups`. */
export function toSignup(row: Row): StoredSignup {
  return {
    email: text(row, 'email'),
    session_id: textOrNull(row, 'session_id'),
    source: text(row, 'source'),
    referrer: textOrNull(row, 'referrer'),
    submission_id: text(row, 'submission_id'),
    created_at: integer(row, 'created_at'),
    ...presentTexts(row, ATTRIBUTION_FIELDS),
    ...presentFields(row),
  };
}

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
    device_type: readChoice(row, 'device_type', DEVICE_TYPES),
    browser: readChoice(row, 'browser', BROWSERS),
    os: readChoice(row, 'os', OPERATING_SYSTEMS),
    is_returning_visitor: integer(row, 'is_returning_visitor') === 1,
    total_sessions: integer(row, 'total_sessions'),
    max_scroll_depth: integer(row, 'max_scroll_depth'),
    click_count: integer(row, 'click_count'),
    is_bounce: integer(row, 'is_bounce') === 1,
    ...presentTexts(row, LANDING_FIELDS),
  };
}
