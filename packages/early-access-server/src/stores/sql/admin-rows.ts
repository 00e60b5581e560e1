import { KEY_SCOPES, type StoredKey } from '../../app/access/api-keys.ts';
import { ROLES } from '../../app/access/roles.ts';
import {
  type AdminSession,
  type AdminSettings,
  AUDIT_ACTIONS,
  type AuditEntry,
  DEFAULT_ADMIN_SETTINGS,
  SIGNUP_NOTICES,
} from '../../app/ports/admin-store.ts';
import type { Passkey } from '../../app/ports/passkey-store.ts';
import type { Member } from '../../app/ports/team-store.ts';
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

export function toAdminSession(row: Row): AdminSession {
  return { ...texts(row, ['id', 'email', 'device']), ...integers(row, ['created_at', 'last_used_at']) };
}

export function toAuditEntry(row: Row): AuditEntry {
  return {
    ...integers(row, ['at', 'count']),
    session: text(row, 'session'),
    action: readChoice(row, 'action', AUDIT_ACTIONS),
    ...presentTexts(row, ['admin', 'api_key', 'route', 'member', 'filter']),
  };
}

export function toMember(row: Row): Member {
  return {
    ...texts(row, ['id', 'email', 'invited_by']),
    role: readChoice(row, 'role', ROLES),
    invited_at: integer(row, 'invited_at'),
    signed_in_at: integerOrNull(row, 'signed_in_at'),
  };
}

export function toPasskey(row: Row): Passkey {
  return {
    ...texts(row, ['id', 'credential_id', 'email', 'name', 'public_key']),
    ...integers(row, ['counter', 'created_at']),
    last_used_at: integerOrNull(row, 'last_used_at'),
  };
}

export function toApiKey(row: Row): StoredKey {
  const scopes: readonly unknown[] = JSON.parse(text(row, 'scopes'));
  return {
    ...texts(row, ['id', 'name']),
    scopes: KEY_SCOPES.filter((scope) => scopes.includes(scope)),
    created_at: integer(row, 'created_at'),
    last_used_at: integerOrNull(row, 'last_used_at'),
  };
}

/** The settings in a row of `admin_settings`, or the defaults without a row. */
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
