import { createHash } from 'node:crypto';
import { toSessionRecord } from '../../src/core/metrics.ts';
import type { EmailSignup, SessionRecord } from '../../src/core/records.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { exampleSession, exampleSignup } from '../../src/testing/examples.ts';
import { documentName, type Fields, set, stamped } from './rest.ts';

/** Documents as the adapter stores them, written by hand, so that the rules are tested independently of it. */

export function signupId(email: string): string {
  return createHash('sha256').update(email).digest('hex');
}

export function signupFields(fields: Partial<EmailSignup> = {}): Fields & { email: string } {
  return { ...exampleSignup(fields) };
}

/** Returns the write that creates a signup, by default with the id derived from its address. */
export function signupWrite(fields: Fields, id = signupId(String(fields.email))) {
  return stamped(set(documentName('email_signups', id), fields));
}

export function sessionFields(now: number, fields: Partial<SessionRecord> = {}): Fields {
  const { id: _id, session_end, ...record } = { ...toSessionRecord(exampleSession(now)), ...fields };
  const expires_at = new Date(record.session_start + 395 * DAY_MS);
  return { ...record, expires_at, ...(session_end !== null && { session_end }) };
}

export function visitorFields(now: number): Fields {
  return { last_seen: now, expires_at: new Date(now + 395 * DAY_MS) };
}
