import {
  ATTRIBUTION_FIELDS,
  BROWSERS,
  DEVICE_TYPES,
  type EmailSignup,
  LANDING_FIELDS,
  OPERATING_SYSTEMS,
  type SessionRecord,
  type SessionTotals,
  type StoredSignup,
} from 'early-access-kit/internal';
import type { StoredSession } from '../../app/analytics/country.ts';
import { otherMailboxKey } from '../../app/lifecycle/mailbox.ts';
import type { EnteredSignup } from '../../app/lifecycle/opt-out.ts';
import {
  CONFIRMATIONS,
  PERSON_STATES,
  type PersonHistory,
  type PersonState,
  STATE_TIMES,
} from '../../app/lifecycle/states.ts';
import { writeLabels } from '../../app/people/labels.ts';
import { newPersonId } from '../../app/people/person-id.ts';
import type { StoredEvent } from '../../app/people/timeline.ts';
import {
  fieldsJson,
  integer,
  integerOrNull,
  integers,
  presentFields,
  presentTexts,
  type Row,
  readChoice,
  text,
  textOrNull,
  texts,
} from './row.ts';

const UTM = 'utm_source, utm_medium, utm_campaign, utm_term, utm_content';

export const SIGNUP_COLUMNS = `email, session_id, source, referrer, submission_id, created_at, page_url, ${UTM}, fields, traffic_source_id, state,
  person_id, bounced_from, confirmed_by, consent_text, consent_page, timeline, language, import_id, mailbox, share_network, labels,
  ${STATE_TIMES.join(', ')}`;

export const SESSION_COLUMNS = `id, visitor_id, session_start, session_end, page_count, total_duration, referrer, user_agent, device_type, browser,
  os, is_returning_visitor, total_sessions, max_scroll_depth, click_count, is_bounce, landing_path, ${UTM}, traffic_source_id, page_views, country`;

/** A signup that is valid, normalized, and whose address is not stored. */
export interface NewSignup {
  readonly signup: EmailSignup;
  readonly createdAt: number;
  readonly state: PersonState;
  /** True if an import adds the person. They do not count as a signup. */
  readonly isImported?: boolean;
  readonly importId?: string | undefined;
  readonly history?: Partial<PersonHistory>;
  readonly events?: readonly StoredEvent[];
  readonly language?: string | null | undefined;
  readonly labels?: readonly string[] | undefined;
  /** See `shareNetwork`. */
  readonly network?: string | null | undefined;
}

/** The unconfirmed new signup in a row of `email_signups`, as created by `enteredSignup`. */
export function toEntered(row: Row): EnteredSignup | null {
  const json = textOrNull(row, 'entered');
  return json === null ? null : JSON.parse(json);
}

/** The stored events in a row of `email_signups`. */
export function readTimeline(row: Row): unknown {
  const json = textOrNull(row, 'timeline');
  return json === null ? null : JSON.parse(json);
}

/**
 * The row of a new signup. `traffic_source_id`: the traffic source it counts under, or null if an import adds the
 * person.
 */
export function toSignupRow(
  { signup, createdAt, state, history, events, language = null, network = null, importId, labels }: NewSignup,
  traffic_source_id: number | null,
) {
  return {
    ...signup,
    ...history,
    fields: fieldsJson(signup.fields),
    created_at: createdAt,
    state,
    person_id: newPersonId(),
    traffic_source_id,
    language,
    timeline: events === undefined ? null : JSON.stringify(events),
    import_id: importId ?? null,
    mailbox: otherMailboxKey(signup.email),
    share_network: network,
    labels: writeLabels(labels),
  };
}

/** The row of a session, without its traffic source. */
export function toSessionRow(session: SessionRecord) {
  return {
    ...session,
    is_returning_visitor: Number(session.is_returning_visitor),
    is_bounce: Number(session.is_bounce),
  };
}

export function toSignup(row: Row): StoredSignup {
  return { ...toEntry(row), submission_id: text(row, 'submission_id') };
}

/** The part of a signup that an admin sees. */
export function toEntry(row: Row): Omit<StoredSignup, 'submission_id'> {
  return {
    ...texts(row, ['email', 'source']),
    session_id: textOrNull(row, 'session_id'),
    referrer: textOrNull(row, 'referrer'),
    created_at: integer(row, 'created_at'),
    ...presentTexts(row, ATTRIBUTION_FIELDS),
    ...presentFields(row),
  };
}

export function toHistory(row: Row): PersonHistory {
  return {
    confirmed_at: integerOrNull(row, 'confirmed_at'),
    unsubscribed_at: integerOrNull(row, 'unsubscribed_at'),
    bounced_at: integerOrNull(row, 'bounced_at'),
    bounced_from: row.bounced_from === null ? null : readChoice(row, 'bounced_from', PERSON_STATES),
    invited_at: integerOrNull(row, 'invited_at'),
    joined_at: integerOrNull(row, 'joined_at'),
    confirmed_by: row.confirmed_by === null ? null : readChoice(row, 'confirmed_by', CONFIRMATIONS),
    consent_text: textOrNull(row, 'consent_text'),
    consent_page: textOrNull(row, 'consent_page'),
  };
}

export function toSession(row: Row): StoredSession {
  return {
    ...texts(row, ['id', 'visitor_id', 'user_agent']),
    ...integers(row, ['session_start', 'total_sessions']),
    ...toTotals(row),
    referrer: textOrNull(row, 'referrer'),
    device_type: readChoice(row, 'device_type', DEVICE_TYPES),
    browser: readChoice(row, 'browser', BROWSERS),
    os: readChoice(row, 'os', OPERATING_SYSTEMS),
    is_returning_visitor: integer(row, 'is_returning_visitor') === 1,
    is_bounce: integer(row, 'is_bounce') === 1,
    ...presentTexts(row, [...LANDING_FIELDS, 'country']),
  };
}

export function toTotals(row: Row): SessionTotals {
  return {
    session_end: integerOrNull(row, 'session_end'),
    ...integers(row, ['page_count', 'total_duration', 'max_scroll_depth', 'click_count']),
  };
}
