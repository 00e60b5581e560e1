import { API_SCOPES, type ApiKey } from '../../app/access/api-keys.ts';
import {
  type AdminSession,
  type AdminSettings,
  AUDIT_ACTIONS,
  type AuditEntry,
  DEFAULT_ADMIN_SETTINGS,
  SIGNUP_NOTICES,
} from '../../app/ports/admin-store.ts';
import {
  integer,
  integerOrNull,
  integers,
  presentTexts,
  type Row,
  readChoice,
  text,
  textOrNull,
  texts,
} from './row.ts';

/** The session in a row of `admin_sessions`. */
export function toAdminSession(row: Row): AdminSession {
  return { ...texts(row, ['id', 'email', 'device']), ...integers(row, ['created_at', 'last_used_at']) };
}

export function toAuditEntry(row: Row): AuditEntry {
  return {
    ...integers(row, ['at', 'count']),
    session: text(row, 'session'),
    action: readChoice(row, 'action', AUDIT_ACTIONS),
    ...presentTexts(row, ['admin', 'api_key', 'route']),
  };
}

/** The key in a row of `api_keys`. */
export function toApiKey(row: Row): ApiKey {
  const scopes: readonly unknown[] = JSON.parse(text(row, 'scopes'));
  return {
    ...texts(row, ['id', 'name']),
    scopes: API_SCOPES.filter((scope) => scopes.includes(scope)),
    created_at: integer(row, 'created_at'),
    last_used_at: integerOrNull(row, 'last_used_at'),
  };
}

/** The settings in a row of `admin_settings`, if there is one. */
export function toAdminSettings(row: Row | undefined): AdminSettings {
  if (row === undefined) return DEFAULT_ADMIN_SETTINGS;
  return {
    time_zone: textOrNull(row, 'time_zone'),
    weekly_email: integer(row, 'weekly_email') === 1,
    signup_notices: readChoice(row, 'signup_notices', SIGNUP_NOTICES),
  };
}

/** See `AdminStore.signupsNoticedUntil`. */
export function toSignupsNoticedUntil(row: Row | undefined): number | null {
  return row === undefined || row.signup_notices === 'off' ? null : integer(row, 'signups_noticed_until');
}
