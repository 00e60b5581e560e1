import { isValidEmail, normalizeEmail } from './email.ts';
import { type FieldDeclarations, invalid, isObject, UNSTORABLE } from './fields.ts';
import { MAX_LENGTH, MAX_TOTAL } from './limits.ts';
import { parseFields } from './more-fields.ts';
import { isId } from './random-id.ts';
import {
  ATTRIBUTION_FIELDS,
  type Attribution,
  BROWSERS,
  DEVICE_TYPES,
  type EmailSignup,
  LANDING_FIELDS,
  type Landing,
  OPERATING_SYSTEMS,
  type SessionStart,
  type SessionTotals,
  type SessionUpdate,
} from './records.ts';

/**
 * Parses untrusted data into records, on the trusted side of every store. Each function returns a record with exactly
 * the known fields, or throws a `StorageError` with code `invalid` that names the field (never its value).
 */

type Fields = Readonly<Record<string, unknown>>;

/** Parses a signup. `declarations`: the host's own fields. */
export function parseSignup(value: unknown, declarations: FieldDeclarations = {}): EmailSignup {
  const fields = asFields(value, 'signup');
  const ownFields = parseFields(declarations, fields.fields);
  return {
    email: parseEmail(fields.email),
    session_id: nullable(fields, 'session_id', id),
    source: text(fields, 'source', MAX_LENGTH.source),
    referrer: nullable(fields, 'referrer', referrer),
    submission_id: id(fields, 'submission_id'),
    ...presentTexts(fields, ATTRIBUTION_FIELDS),
    ...(ownFields && { fields: ownFields }),
  };
}

function presentTexts<Name extends keyof Attribution | keyof Landing | 'page_path'>(
  fields: Fields,
  names: readonly Name[],
): { [Field in Name]?: string } {
  const texts: { [Field in Name]?: string } = {};
  for (const name of names) {
    if (fields[name] !== undefined) texts[name] = text(fields, name, getMaxLength(name));
  }
  return texts;
}

function getMaxLength(name: string): number {
  const lengths: Readonly<Partial<Record<string, number>>> = MAX_LENGTH;
  return lengths[name] ?? MAX_LENGTH.utm;
}

/** Returns the normalized address. */
export function parseEmail(value: unknown): string {
  if (typeof value !== 'string' || !isValidEmail(value)) throw invalid('email', 'must be a valid email address');
  return normalizeEmail(value);
}

/** Parses the start of a session. */
export function parseSessionStart(value: unknown): SessionStart {
  const fields = asFields(value, 'session');
  return { id: id(fields, 'id'), ...startFields(fields) };
}

export function parseSessionId(value: unknown): string {
  return id({ id: value }, 'id');
}

/** Parses an update of a session. */
export function parseSessionUpdate(value: unknown): SessionUpdate {
  const fields = asFields(value, 'session update');
  return { ...startFields(fields), ...totals(fields), ...presentTexts(fields, ['page_path']) };
}

function startFields(fields: Fields): Omit<SessionStart, 'id'> {
  return {
    visitor_id: id(fields, 'visitor_id'),
    session_start: time(fields, 'session_start'),
    referrer: nullable(fields, 'referrer', referrer),
    user_agent: text(fields, 'user_agent', MAX_LENGTH.user_agent),
    device_type: readChoice(fields, 'device_type', DEVICE_TYPES),
    browser: readChoice(fields, 'browser', BROWSERS),
    os: readChoice(fields, 'os', OPERATING_SYSTEMS),
    is_returning_visitor: flag(fields, 'is_returning_visitor'),
    total_sessions: count(fields, 'total_sessions', 1, MAX_TOTAL.total_sessions),
    ...presentTexts(fields, LANDING_FIELDS),
  };
}

function totals(fields: Fields): SessionTotals {
  return {
    session_end: nullable(fields, 'session_end', time),
    page_count: count(fields, 'page_count', 1, MAX_TOTAL.page_count),
    total_duration: count(fields, 'total_duration', 0, MAX_TOTAL.total_duration),
    max_scroll_depth: count(fields, 'max_scroll_depth', 0, MAX_TOTAL.max_scroll_depth),
    click_count: count(fields, 'click_count', 0, MAX_TOTAL.click_count),
  };
}

function asFields(value: unknown, what: string): Fields {
  if (!isObject(value)) throw invalid(what, 'must be an object');
  return value;
}

function text(fields: Fields, name: string, maxLength: number): string {
  const value = fields[name];
  if (typeof value !== 'string' || value.length > maxLength || UNSTORABLE.test(value)) {
    throw invalid(name, `must be text of at most ${maxLength} characters without control characters`);
  }
  return value;
}

function referrer(fields: Fields, name: string): string {
  return text(fields, name, MAX_LENGTH.referrer);
}

function id(fields: Fields, name: string): string {
  const value = fields[name];
  if (!isId(value)) throw invalid(name, 'must be 8 to 64 letters, digits, "-" or "_", and not start and end with "__"');
  return value;
}

function count(fields: Fields, name: string, min: number, max: number): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw invalid(name, `must be a whole number from ${min} to ${max}`);
  }
  return value;
}

/** Returns epoch milliseconds up to the year 9999. */
function time(fields: Fields, name: string): number {
  return count(fields, name, 0, 253_402_300_799_999);
}

function flag(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (typeof value !== 'boolean') throw invalid(name, 'must be true or false');
  return value;
}

function readChoice<T extends string>(fields: Fields, name: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === fields[name]);
  if (found === undefined) throw invalid(name, `must be one of ${allowed.join(', ')}`);
  return found;
}

function nullable<T>(fields: Fields, name: string, parse: (fields: Fields, name: string) => T): T | null {
  return fields[name] === null || fields[name] === undefined ? null : parse(fields, name);
}
