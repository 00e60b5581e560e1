import { DEFAULT_BASE, ROUTES } from 'early-access-kit/core';
import type { Hono } from 'hono';
import { originRefusal } from '../app/access/origins.ts';
import { FORM_TYPE, readSignupForm } from '../app/signup-form.ts';
import { type Failure, retryHeader, toFailure } from './failure.ts';
import { type FormOutcome, OUTCOMES, resultPage, resultPageHeaders } from './result-page.ts';
import type { AppContext, AppEnv, RouteContext } from './route-context.ts';

/** Mounts the form's `action` for browsers that run no scripts. It responds with a page for people. */
export function mountSignupForm(app: Hono<AppEnv>, context: RouteContext): void {
  const { store, wakeMail, limiter, publicUrl } = context;

  async function signUp(c: AppContext): Promise<FormOutcome> {
    const body = await context.readText(c, 'signupForms', [FORM_TYPE], { limit: 'allSignupForms', key: 'all' });
    const signup = readSignupForm(body, c.req.header('referer'));
    if (typeof signup === 'string') return signup;
    await limiter.take([{ limit: 'signupsPerAddress', key: signup.email }]);
    const result = await store.createSignup(signup);
    if (result === 'created') wakeMail();
    return result;
  }

  function page(c: AppContext, outcome: FormOutcome, failure?: Failure): Response {
    const origin = context.allowedOrigin(c);
    const backLink = origin === undefined ? (publicUrl?.href ?? '/') : `${origin}/`;
    const headers = { ...resultPageHeaders, ...(failure && retryHeader(failure)) };
    return new Response(resultPage(outcome, backLink), {
      status: failure?.status ?? OUTCOMES[outcome].status,
      headers,
    });
  }

  app.post(DEFAULT_BASE + ROUTES.signupForm, async (c) => {
    try {
      return page(c, await signUp(c));
    } catch (error) {
      const failure = toFailure(error);
      context.report(failure, c);
      return page(c, failure.code === 'forbidden' ? originRefusal(c.req.header('origin')).outcome : 'failed', failure);
    }
  });
}
