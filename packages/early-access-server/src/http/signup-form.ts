import { DEFAULT_BASE, ROUTES, type StorageAdapter } from 'early-access-kit/core';
import type { Hono } from 'hono';
import { originRefusal } from '../app/access/origins.ts';
import { FORM_TYPE, readSignupForm } from '../app/signup-form.ts';
import { type Failure, retryHeader, toFailure } from './failure.ts';
import { languageOf } from './page.ts';
import { type FormOutcome, resultPages, STATUS_OF_OUTCOME } from './result-page.ts';
import type { AppContext, AppEnv, RouteContext } from './route-context.ts';

/** Mounts the form's `action` for browsers that run no scripts. It responds with a page for people. `confirms`: the adapter's signups are confirmed by email. */
export function mountSignupForm(
  app: Hono<AppEnv>,
  context: RouteContext,
  adapter: StorageAdapter,
  { confirms = false } = {},
): void {
  const { limiter, publicUrl, brand } = context;
  const pages = resultPages(brand);

  async function signUp(c: AppContext, body: string): Promise<FormOutcome> {
    const signup = readSignupForm(body, c.req.header('referer'));
    if (typeof signup === 'string') return signup;
    await limiter.take([{ limit: 'signupsPerAddress', key: signup.email }]);
    const result = await adapter.createSignup(signup);
    // No script will ask for it. The signup is stored, so a failure changes nothing for the visitor.
    if (result === 'created') await adapter.sendWelcomeEmail(signup.email).catch(() => {});
    return result === 'created' && confirms ? 'unconfirmed' : result;
  }

  function page(c: AppContext, lang: string | null, outcome: FormOutcome, failure?: Failure): Response {
    const language = languageOf(lang, c.req.header('accept-language'));
    return new Response(pages.html({ outcome, language, backLink: backLink(c) }), {
      status: failure?.status ?? STATUS_OF_OUTCOME[outcome],
      headers: { ...pages.headers, ...(failure && retryHeader(failure)) },
    });
  }

  /** The site that the form was on, if it says so and may sign people up. */
  function backLink(c: AppContext): string {
    const origin = c.req.header('origin');
    const isKnown = origin !== undefined && context.origins.judge(origin, c.req.header('host')) !== 'foreign';
    return isKnown ? `${origin}/` : (brand.url ?? publicUrl?.href ?? '/');
  }

  app.post(DEFAULT_BASE + ROUTES.signupForm, async (c) => {
    let lang: string | null = null;
    try {
      const body = await context.readText(c, 'signupForms', [FORM_TYPE], { limit: 'allSignupForms', key: 'all' });
      lang = new URLSearchParams(body).get('lang');
      return page(c, lang, await signUp(c, body));
    } catch (error) {
      const failure = toFailure(error);
      context.report(failure, c);
      const isForbidden = failure.code === 'forbidden';
      return page(c, lang, isForbidden ? originRefusal(c.req.header('origin')).outcome : 'failed', failure);
    }
  });
}
