import { randomUUID } from 'node:crypto';
import {
  type EmailSignup,
  INITIAL_TOTALS,
  type SessionStart,
  type SessionTotals,
  type SessionUpdate,
  type SignupFields,
} from 'early-access-kit/core';

/** Values of the host's own fields, with what a database may mistake for something of its own. */
export const EXAMPLE_FIELDS: SignupFields = {
  role: 'O\'Brien & "Söhne" <b>\\ 漢字 😀 {{x}} %s $1',
  news: true,
  zip: '007',
  about: 'x'.repeat(1_000),
};

/** A valid signup of an address that no other call returns. */
export function exampleSignup(fields: Partial<EmailSignup> = {}): EmailSignup {
  const email = `visitor-${randomUUID()}@example.org`;
  return { email, session_id: null, source: 'landing_page', referrer: null, submission_id: randomUUID(), ...fields };
}

export function exampleSession(session_start: number, fields: Partial<SessionStart> = {}): SessionStart {
  return {
    id: randomUUID(),
    visitor_id: randomUUID(),
    session_start,
    referrer: null,
    user_agent: 'Mozilla/5.0',
    device_type: 'desktop',
    browser: 'Firefox',
    os: 'Linux',
    is_returning_visitor: false,
    total_sessions: 1,
    ...fields,
  };
}

export function updateOf({ id: _, ...start }: SessionStart, totals: Partial<SessionTotals> = {}): SessionUpdate {
  return { ...start, ...INITIAL_TOTALS, ...totals };
}

/** A seeded random number generator: whole numbers from 0 to below `end`. */
export function numbers(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * end);
  };
}
