import { randomUUID } from 'node:crypto';
import {
  type Attribution,
  attributionOf,
  type EmailSignup,
  HONEYPOT_FIELD,
  parseEmail,
  parseSignup,
} from 'early-access-kit/core';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Enough for the longest page that is stored and its campaign. Names in an address are normalised, which takes quadratic time. */
const MAX_REFERER_LENGTH = 4_096;

/**
 * Reads the signup from a form sent without scripts. `failed`: a bot sent it. `invalid`: the address is not valid. Throws a
 * `StorageError` if another field is not valid. Bound the length of both strings first; `referer` is the request's header.
 */
export function readSignupForm(body: string, referer: string | undefined): EmailSignup | 'failed' | 'invalid' {
  const form = new URLSearchParams(body);
  if (form.get(HONEYPOT_FIELD)) return 'failed';
  const email = emailOf(form);
  if (email === null) return 'invalid';
  return parseSignup({
    email,
    session_id: null,
    source: form.get('source') ?? 'landing_page',
    referrer: null,
    submission_id: randomUUID(),
    ...attributionOfForm(referer),
  });
}

function emailOf(form: URLSearchParams): string | null {
  try {
    return parseEmail(form.get('email'));
  } catch {
    return null;
  }
}

/**
 * The page that a form was sent from, by the browser's `Referer`: its address, or only its origin if it belongs to another site. A page
 * without scripts cannot write its own query into hidden fields.
 */
function attributionOfForm(referer: string | undefined): Attribution {
  const page = referer === undefined || referer.length > MAX_REFERER_LENGTH ? null : URL.parse(referer);
  return page === null ? {} : attributionOf(page);
}
