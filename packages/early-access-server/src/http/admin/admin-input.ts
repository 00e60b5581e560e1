import { StorageError } from 'early-access-kit/core';
import { type AdminSettings, SIGNUP_NOTICES } from '../../app/admin/admin-store.ts';
import { fieldOf } from '../../app/field-of.ts';
import type { AppContext } from '../route-context.ts';

const MAX_ZONE_LENGTH = 100;

/** A field of a body that is text of at most `maxLength` characters. */
export function textField(body: unknown, name: string, maxLength: number): string {
  const value = fieldOf(body, name);
  if (typeof value === 'string' && value.length <= maxLength) return value;
  throw new StorageError('invalid', `${name} must be text of at most ${maxLength} characters`);
}

/** The settings with what the body changes. */
export function readSettings(body: unknown, current: AdminSettings): AdminSettings {
  const {
    time_zone = current.time_zone,
    weekly_email = current.weekly_email,
    signup_notices: notices = current.signup_notices,
  } = {
    time_zone: fieldOf(body, 'time_zone'),
    weekly_email: fieldOf(body, 'weekly_email'),
    signup_notices: fieldOf(body, 'signup_notices'),
  };
  if (typeof weekly_email !== 'boolean') throw new StorageError('invalid', 'weekly_email must be true or false');
  const signup_notices = SIGNUP_NOTICES.find((known) => known === notices);
  if (signup_notices === undefined) {
    throw new StorageError('invalid', `signup_notices must be one of ${SIGNUP_NOTICES.join(', ')}`);
  }
  return { time_zone: time_zone === null ? null : parseZone(time_zone), weekly_email, signup_notices };
}

/** An IANA time zone that this runtime knows. */
function parseZone(value: unknown): string {
  if (typeof value === 'string' && value.length <= MAX_ZONE_LENGTH) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
    } catch {
      // Handled below, like any other value.
    }
  }
  throw new StorageError('invalid', 'the time zone must be a name such as Europe/Berlin');
}

/** A query parameter of at most `maxLength` characters; null if it is missing or empty. */
export function textParam(c: AppContext, name: string, maxLength: number): string | null {
  const value = c.req.query(name);
  if (value === undefined || value === '') return null;
  if (value.length <= maxLength) return value;
  throw new StorageError('invalid', `${name} must be text of at most ${maxLength} characters`);
}

/** Null if it is missing or empty. */
export function oneOfParam<T extends string>(c: AppContext, name: string, allowed: readonly T[]): T | null {
  const value = c.req.query(name);
  if (value === undefined || value === '') return null;
  const found = allowed.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw new StorageError('invalid', `${name} must be one of ${allowed.join(', ')}`);
}

export function wholeNumberParam(c: AppContext, name: string, min: number, max: number): number | null {
  const value = c.req.query(name);
  if (value === undefined || value === '') return null;
  if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw new StorageError('invalid', `${name} must be a whole number from ${min} to ${max}`);
}
