import { DEFAULT_BASE, ROUTES } from 'early-access-kit/core';
import type { Hono } from 'hono';
import { originRefusal } from '../app/access/origins.ts';
import { FORM_TYPE, readSignupForm } from '../app/signup-form.ts';
import { type Failure, toFailure } from './failure.ts';
import type { AppContext, AppEnv } from './gate.ts';
import { type FormOutcome, OUTCOMES, resultPage, resultPageHeaders } from './result-page.ts';
import type { RouteTools } from './route-tools.ts';

/** Mounts the form's `action` for browsers in which scripts do not run: answers with a page for people. */
export function mountSignupForm(app: Hono<AppEnv>, tools: RouteTools): void {
  const { store, mailer, gate, origins, limiter } = tools;

  async function signUp(body: string, referer: string | undefined): Promise<FormOutcome> {
    const signup = readSignupForm(body, referer);
    if (typeof signup === 'string') return signup;
    await limiter.take([{ limit: 'signupsPerAddress', key: signup.email }]);
    const result = await store.createSignup(signup);
    if (result === 'created') mailer.wake();
    return result;
  }

  function page(c: AppContext, outcome: FormOutcome, failure?: Failure): Response {
    const status = failure?.status ?? OUTCOMES[outcome].status;
    const retry = failure?.retryAfter === undefined ? {} : { 'Retry-After': String(failure.retryAfter) };
    return new Response(resultPage(outcome, backLink(c)), { status, headers: { ...resultPageHeaders, ...retry } });
  }

  /** The page the form stands on may be another site's. */
  function backLink(c: AppContext): string {
    const origin = c.req.header('origin');
    return origin !== undefined && origins.judge(origin, c.req.header('host')) === 'allowed' ? `${origin}/` : '/';
  }

  app.post(DEFAULT_BASE + ROUTES.signupForm, async (c) => {
    try {
      return page(c, await signUp(await gate.admit(c, 'signupForms', [FORM_TYPE]), c.req.header('referer')));
    } catch (error) {
      const failure = toFailure(error);
      tools.report(failure, c);
      return page(c, failure.code === 'forbidden' ? originRefusal(c.req.header('origin')).outcome : 'failed', failure);
    }
  });
}
