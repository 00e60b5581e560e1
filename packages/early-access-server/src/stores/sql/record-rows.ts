import {
  ATTRIBUTION_FIELDS,
  BROWSERS,
  DEVICE_TYPES,
  LANDING_FIELDS,
  OPERATING_SYSTEMS,
  type SessionRecord,
  type StoredSignup,
} from 'early-access-kit/core';
import { newPersonId } from '../../app/list/person-id.ts';
import type { NewSignup } from './list.ts';
import {
  fieldsJson,
  integer,
  integerOrNull,
  presentFields,
  presentTexts,
  type Row,
  readChoice,
  text,
  textOrNull,
} from './row.ts';

const UTM = 'utm_source, utm_medium, utm_campaign, utm_term, utm_content';

/** The columns of `email_signups` that are stored with a new signup. */
export const SIGNUP_COLUMNS = `email, session_id, source, referrer, submission_id, created_at, page_url, ${UTM}, fields, touch_id, state,
  person_id, was_unsubscribed`;

/** The columns of `sessions` that are stored with a new session. */
export const SESSION_COLUMNS = `id, visitor_id, session_start, session_end, page_count, total_duration, referrer, user_agent, device_type, browser,
  os, is_returning_visitor, total_sessions, max_scroll_depth, click_count, is_bounce, landing_path, ${UTM}, touch_id`;

/** The row of a new signup, without what it counts as. */
export function toSignupRow({ signup, createdAt, state, returning = null }: NewSignup) {
  return {
    ...signup,
    fields: fieldsJson(signup.fields),
    created_at: createdAt,
    state,
    person_id: returning ?? newPersonId(),
    was_unsubscribed: Number(returning !== null),
  };
}

/** The row of a session, without what it counts as. */
export function toSessionRow(session: SessionRecord) {
  return {
    ...session,
    is_returning_visitor: Number(session.is_returning_visitor),
    is_bounce: Number(session.is_bounce),
  };
}

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
