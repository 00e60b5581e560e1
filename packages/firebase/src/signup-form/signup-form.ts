import { isStorageError, MAX_BODY_BYTES, STATUS_OF_CODE } from 'early-access-kit/core';
import {
  type BrandOfSite,
  type Clock,
  DEFAULT_BRAND,
  FORM_TYPE,
  type FormOutcome,
  type Log,
  languageOf,
  originPolicy,
  originRefusal,
  originRefusalLog,
  type RateLimiter,
  type RateLimits,
  readSignupForm,
  resultPages,
  STATUS_OF_OUTCOME,
  usesOf,
} from 'early-access-server/app';
import type { FirestoreStore } from 'early-access-server/firestore';
import type { Response } from 'express';
import type { Request } from 'firebase-functions/v2/https';
import { CALLED_THROUGH_HOSTING, callerOf } from '../access/caller.ts';
import { reasonOf } from '../log.ts';

export interface SignupFormOptions {
  readonly store: Pick<FirestoreStore, 'createSignup'>;
  readonly limiter: RateLimiter<keyof RateLimits>;
  /** The site. May throw where it is not configured. */
  readonly publicUrl: () => URL;
  /** Throws if `publicUrl` does. */
  readonly brand: () => BrandOfSite;
  readonly log: Log;
  readonly clock: Clock;
}

interface Answer {
  readonly outcome: FormOutcome;
  /** Where it is not the outcome's own. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The form's `action` for browsers in which scripts do not run: answers with a page for people. The trigger sends the email. */
export function signupForm({ store, limiter, publicUrl, brand, log, clock }: SignupFormOptions) {
  const onForeignOrigin = originRefusalLog({
    log,
    clock,
    fix: 'if this is a page of the site, set PUBLIC_URL to its origin',
  });

  async function signUp(request: Request): Promise<Answer> {
    const refused = refusalOf(request);
    if (refused) return refused;
    await limiter.take([
      ...usesOf('signupForms', callerOf(request, CALLED_THROUGH_HOSTING)),
      { limit: 'allSignupForms', key: 'all' },
    ]);
    const signup = readSignupForm(request.rawBody.toString(), request.header('referer'));
    if (typeof signup === 'string') return { outcome: signup };
    await limiter.take([{ limit: 'signupsPerAddress', key: signup.email }]);
    return { outcome: await store.createSignup(signup) };
  }

  /** Why a request is not even read. */
  function refusalOf(request: Request): Answer | null {
    if (request.method !== 'POST') return { outcome: 'failed', status: 405, headers: { Allow: 'POST' } };
    const origin = request.header('origin');
    // Hosting serves previews of the site under another name, which it passes on.
    const host = request.header('x-forwarded-host') ?? request.header('host');
    if (originPolicy({ site: publicUrl() }).judge(origin, host) === 'foreign') {
      onForeignOrigin(origin);
      return { outcome: originRefusal(origin).outcome };
    }
    const [type = ''] = (request.header('content-type') ?? '').split(';', 1);
    if (type.trim().toLowerCase() !== FORM_TYPE) return { outcome: 'failed', status: 415 };
    return request.rawBody.length > MAX_BODY_BYTES ? { outcome: 'failed', status: 413 } : null;
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
    const shown = brandOrDefault(brand);
    const pages = resultPages(shown);
    const language = languageOf(langOf(request), request.header('accept-language'));
    response
      .status(status ?? STATUS_OF_OUTCOME[outcome])
      .set({ ...pages.headers, ...headers })
      .send(pages.html({ outcome, language, backLink: shown.url ?? '/' }));
  };
}

function langOf({ rawBody }: Request): string | null {
  const isRead = rawBody !== undefined && rawBody.length <= MAX_BODY_BYTES;
  return isRead ? new URLSearchParams(rawBody.toString()).get('lang') : null;
}

function brandOrDefault(brand: () => BrandOfSite): BrandOfSite {
  try {
    return brand();
  } catch {
    return DEFAULT_BRAND;
  }
}
