import { randomUUID } from 'node:crypto';
import { type EmailSignup, parseEmail, parseSignup } from 'early-access-kit/core';
import { attributionOfForm } from './attribution-of-form.ts';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Visitors do not see this field of the form; only bots fill it in. */
const HONEYPOT_FIELD = 'website';

/**
 * The signup that a form without scripts asks for. `failed`: a bot sent it. `invalid`: the address is not valid. Throws a
 * `StorageError` if anything else in it is not. Both strings must be bounded; `referer` is the request's header.
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
