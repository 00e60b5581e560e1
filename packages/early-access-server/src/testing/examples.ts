import type { EmailSignup, SignupFields } from 'early-access-kit/core';
import { exampleSignup as signupOfKit } from 'early-access-kit/testing';
import type { PersonHistory } from '../app/lifecycle/states.ts';

export { exampleSession, exampleUpdate as updateOf } from 'early-access-kit/testing';

/** Values of the host's fields, including some that resemble database syntax. */
export const EXAMPLE_FIELDS: SignupFields = {
  role: 'O\'Brien & "Söhne" <b>\\ 漢字 😀 {{x}} %s $1',
  news: true,
  zip: '007',
  about: 'x'.repeat(1_000),
};

/** The history of a person who has just signed up. */
export const NO_HISTORY: PersonHistory = {
  confirmed_at: null,
  unsubscribed_at: null,
  bounced_at: null,
  bounced_from: null,
  confirmed_by: null,
  invited_at: null,
  joined_at: null,
  consent_text: null,
  consent_page: null,
};

/** A valid signup with a unique address, without a session or referrer. */
export function exampleSignup(fields: Partial<EmailSignup> = {}): EmailSignup {
  return signupOfKit({ session_id: null, referrer: null, ...fields });
}

/** A seeded random number generator that returns whole numbers from 0 to `end` (excluded). */
export function numbers(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * end);
  };
}
