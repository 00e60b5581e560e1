import { createHash } from 'node:crypto';
import { TALLIES } from '../../app/analytics/analytics.ts';
import { SESSION_COLUMNS, SIGNUP_COLUMNS } from './record-rows.ts';
import type { Row } from './row.ts';

/**
 * A table that is copied from SQLite to Postgres, with the same columns in both. All other tables are derived from
 * these.
 */
export interface CopiedTable {
  readonly name: string;
  /** The column that identifies and orders rows. The first of `columns`. */
  readonly key: string;
  readonly columns: readonly string[];
  /** A condition: rows that do not meet it are not copied. */
  readonly where: string;
  /** The column with generated numbers, or null. */
  readonly numbered: string | null;
  /**
   * True if triggers delete rows that nothing refers to (traffic sources). They are protected during a copy until all
   * rows that refer to them have been copied.
   */
  readonly isHeld: boolean;
}

function table(
  name: string,
  columns: string,
  { where = 'true', numbered = null, isHeld = false }: Partial<CopiedTable> = {},
): CopiedTable {
  const names = columns.split(/,\s*/);
  return { name, key: names[0] ?? '', columns: names, where, numbered, isHeld };
}

const DELIVERY = 'state, attempts, next_attempt_at, lease_until, changed_at, reason';
const NUMBERED = { numbered: 'id' };

/** Ordered so that rows are copied after the rows they refer to. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  table(
    'traffic_sources',
    'id, referrer_host, utm_source, utm_medium, utm_campaign, landing_path, device_type, browser, os, visitor_type, country',
    { ...NUMBERED, isHeld: true },
  ),
  table('email_signups', `id, ${SIGNUP_COLUMNS}, wave_id, share_code, referrals, entered, entered_at`, NUMBERED),
  table('share_credits', 'mailbox, friend, brought_by, credit'),
  table('sessions', `${SESSION_COLUMNS}, previous_start`),
  table('erased_sessions', 'id_hash, erased_at'),
  table('analytics_hours', ['hour', ...TALLIES].join(', '), {
    where: TALLIES.map((tally) => `${tally} > 0`).join(' OR '),
  }),
  table('imports', 'id, created_at, name, added'),
  table('invite_waves', 'id, created_at, people', NUMBERED),
  table(
    'mails',
    `id, signup_id, recipient, kind, campaign_id, wave_id, data, message_key, ${DELIVERY}, mailbox, unsubscribed, complained, joined`,
    NUMBERED,
  ),
  table('mailbox_attempts', 'message_key, mailbox, attempted_at'),
  // After the messages, whose triggers change these counts. Messages to erased people still count.
  table(
    'campaigns',
    `id, subject, body, states, source, conditions, revision, state, created_at, scheduled_at, time_zone, follows, after_days, started_at, ended_at, people, position, last_id, pending, sent, failed, unknown, unsubscribed, complained, joined, series_after, series_previous, series_days, reached_at, reached_id, stopped_at, resumed_at`,
    NUMBERED,
  ),
  table('segments', 'id, name, conditions'),
  table('bulk_jobs', 'number, data'),
  table('bulk_parts', 'key, number, part, ids'),
  table('mail_hours', 'hour, attempts'),
  table('mail_pause', 'id, data'),
  table('list_status', 'id, data'),
  table('opening_requests', 'id, email, created_at, data', NUMBERED),
  table('person_tokens', 'hash, signup_id, purpose, kind, campaign_id, expires_at, used_at'),
  table(
    'webhooks',
    'id, name, url, secret, format, events, created_at, failing_since, failures, paused_until, disabled_at, position',
    { numbered: 'position' },
  ),
  table('webhook_deliveries', `id, webhook_id, signup_id, event_id, type, at, person, ${DELIVERY}`, NUMBERED),
  table('admin_sign_in_tokens', 'hash, email, expires_at'),
  table('admin_sessions', 'id, hash, email, created_at, last_used_at, device'),
  table('admin_members', 'email, id, role, invited_at, invited_by, signed_in_at'),
  table('admin_passkeys', 'id, credential_id, email, name, public_key, counter, created_at, last_used_at'),
  table('admin_audit', 'id, at, session, action, count, admin, api_key, route, member, filter', NUMBERED),
  table('api_keys', 'id, hash, name, scopes, created_at, last_used_at'),
  table('idempotency_keys', 'hash, api_key, request, response, created_at'),
  table('admin_settings', 'email, time_zone, weekly_email, signup_notices, signups_noticed_until'),
  table('admin_weekly_emails', 'email, week'),
  table('human_tokens', 'hash, purpose, expires_at'),
];

export type Key = number | string;

/** The rows with keys after `after`, up to and including `until`. Null: no bound. */
export interface KeyRange {
  readonly after: Key | null;
  readonly until: Key | null;
}

export interface Checksum {
  readonly rows: number;
  readonly md5: string;
}

/** Separates values, and represents null, in the text from which a row's checksum is computed. */
export const SEPARATOR = '\u001f';
export const NULL = '\u001e';

/** The checksum over the checksums of rows, in order. */
export function computeChecksum({ columns }: CopiedTable, rows: readonly Row[]): Checksum {
  const hash = createHash('md5');
  for (const row of rows) hash.update(md5(columns.map((column) => String(row[column] ?? NULL)).join(SEPARATOR)));
  return { rows: rows.length, md5: hash.digest('hex') };
}

/** The checksum over the checksums of tables or of parts of them. */
export function combined(parts: readonly Checksum[]): Checksum {
  return { rows: parts.reduce((sum, { rows }) => sum + rows, 0), md5: md5(parts.map((part) => part.md5).join('')) };
}

export function isEqual(a: Checksum, b: Checksum): boolean {
  return a.rows === b.rows && a.md5 === b.md5;
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
