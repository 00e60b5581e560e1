import { API_SCOPES, type ApiKey } from '../../app/access/api-keys.ts';
import {
  type AdminSession,
  type AdminSettings,
  AUDIT_ACTIONS,
  type AuditEntry,
  DEFAULT_ADMIN_SETTINGS,
  SIGNUP_NOTICES,
} from '../../app/ports/admin-store.ts';
import { integer, integerOrNull, presentTexts, type Row, readChoice, text, textOrNull } from './row.ts';

/** The session in a row of `admin_sessions`. */
export function toAdminSession(row: Row): AdminSession {
  return {
    id: text(row, 'id'),
    email: text(row, 'email'),
    created_at: integer(row, 'created_at'),
    last_used_at: integer(row, 'last_used_at'),
    device: text(row, 'device'),
  };
}

export function toAuditEntry(row: Row): AuditEntry {
  return {
    at: integer(row, 'at'),
    session: text(row, 'session'),
    action: readChoice(row, 'action', AUDIT_ACTIONS),
    count: integer(row, 'count'),
    ...presentTexts(row, ['api_key', 'route']),
  };
}

/** The key in a row of `api_keys`. */
export function toApiKey(row: Row): ApiKey {
  const scopes: readonly unknown[] = JSON.parse(text(row, 'scopes'));
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
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
