import { DEFAULT_BASE, ROUTES } from 'early-access-kit/internal';
import type { EarlyAccess } from 'early-access-server';
import { chooseLanguage, DEFAULT_BRAND, type Log, resultPages } from 'early-access-server/internal';
import type { Request as FunctionRequest } from 'firebase-functions/v2/https';
import { readSource, serveExpress, toFetchRequest } from './express.ts';

/**
 * The form's `action` for browsers without scripts: the application's route behind Express. `earlyAccess` may throw if
 * a setting is invalid. The trigger for new signups sends the email.
 */
export function signupForm(earlyAccess: () => Pick<EarlyAccess, 'fetch'>, log: Log) {
  async function respond(request: FunctionRequest): Promise<Response> {
    if (request.method !== 'POST') return failedPage(request, 405, { Allow: 'POST' });
    const form = toFetchRequest(request, DEFAULT_BASE + ROUTES.signupForm);
    return earlyAccess().fetch(form, readSource(request));
  }
  return serveExpress(
    respond,
    (request) => failedPage(request, 503),
    (reason) => log('error', 'signup-form-failed', { reason }),
  );
}

/** Does not use the brand, whose settings may be invalid. */
function failedPage(request: FunctionRequest, status: number, headers: Record<string, string> = {}): Response {
  const pages = resultPages(DEFAULT_BRAND);
  const language = chooseLanguage(null, request.header('accept-language'));
  const html = pages.html({ outcome: 'failed', language, backLink: '/' });
  return new Response(html, { status, headers: { ...pages.headers, ...headers } });
}
