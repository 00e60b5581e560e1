import { randomUUID } from 'node:crypto';
import type { Log } from '@early-access-kit/backend';
import {
  attributionOfForm,
  type FormOutcome,
  OUTCOMES,
  resultPage,
  resultPageHeaders,
} from '@early-access-kit/backend';
import { isStorageError, MAX_BODY_BYTES, parseEmail, parseSignup, STATUS_OF_CODE } from 'early-access-kit/core';
import type { Response } from 'express';
import type { Firestore } from 'firebase-admin/firestore';
import type { Request } from 'firebase-functions/v2/https';
import { CALLED_THROUGH_HOSTING, callerOf } from '../access/caller.ts';
import type { Throttle } from '../access/throttle.ts';
import { reasonOf } from '../log.ts';
import { createSignup } from '../signups/create-signup.ts';
import { isOwnOrigin } from './own-origin.ts';

/** People do not see this field of the form; what fills it in is a bot. */
const HONEYPOT_FIELD = 'website';
const FORM_TYPE = 'application/x-www-form-urlencoded';

export interface SignupFormOptions {
  readonly firestore: Firestore;
  readonly throttle: Throttle;
  /** The site. May throw where it is not configured. */
  readonly publicUrl: () => URL;
  readonly log: Log;
}

interface Answer {
  readonly outcome: FormOutcome;
  /** Where it is not the outcome's own. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The form's `action` for browsers in which scripts do not run: answers with a page for people. The trigger sends the email. */
export function signupForm({ firestore, throttle, publicUrl, log }: SignupFormOptions) {
  async function signUp(request: Request): Promise<Answer> {
    const refused = refusalOf(request, publicUrl());
    if (refused) return refused;
    const form = new URLSearchParams(request.rawBody.toString());
    if (form.get(HONEYPOT_FIELD)) return { outcome: 'failed' };
    const email = emailOf(form);
    if (email === null) return { outcome: 'invalid' };
    const source = form.get('source') ?? 'landing_page';
    const signup = parseSignup({
      email,
      session_id: null,
      source,
      referrer: null,
      submission_id: randomUUID(),
      ...attributionOfForm(request.header('referer')),
    });
    await throttle.take([
      { budget: 'signupForms', key: callerOf(request, CALLED_THROUGH_HOSTING) },
      { budget: 'allSignupForms', key: 'all' },
      { budget: 'perEmail', key: email },
    ]);
    return { outcome: await createSignup(firestore, signup) };
  }

  function failureOf(error: unknown): Answer {
    if (!isStorageError(error)) {
      log('error', 'signup-form-failed', { reason: reasonOf(error) });
      return { outcome: 'failed', status: STATUS_OF_CODE.unavailable };
    }
    const { code, retryAfter } = error;
    const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
    return { outcome: 'failed', status: STATUS_OF_CODE[code], headers };
  }

  return async (request: Request, response: Response): Promise<void> => {
    const { outcome, status, headers } = await signUp(request).catch(failureOf);
    response
      .status(status ?? OUTCOMES[outcome].status)
      .set({ ...resultPageHeaders, ...headers })
      .send(resultPage(outcome, backLink(publicUrl)));
  };
}

/** Why a request is not even read. */
function refusalOf(request: Request, site: URL): Answer | null {
  if (request.method !== 'POST') return { outcome: 'failed', status: 405, headers: { Allow: 'POST' } };
  const host = request.header('x-forwarded-host') ?? request.header('host');
  if (!isOwnOrigin(request.header('origin'), site, host)) return { outcome: 'failed', status: 403 };
  const [type = ''] = (request.header('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== FORM_TYPE) return { outcome: 'failed', status: 415 };
  return request.rawBody.length > MAX_BODY_BYTES ? { outcome: 'failed', status: 413 } : null;
}

function emailOf(form: URLSearchParams): string | null {
  try {
    return parseEmail(form.get('email'));
  } catch {
    return null;
  }
}

function backLink(publicUrl: () => URL): string {
  try {
    return publicUrl().href;
  } catch {
    return '/';
  }
}
