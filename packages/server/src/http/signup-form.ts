import { randomUUID } from 'node:crypto';
import {
  attributionOfForm,
  type FormOutcome,
  OUTCOMES,
  resultPage,
  resultPageHeaders,
} from '@early-access-kit/backend';
import { DEFAULT_BASE, parseEmail, parseSignup, ROUTES, type SignupResult } from 'early-access-kit/core';
import type { Hono } from 'hono';
import { type Failure, toFailure } from './failure.ts';
import { type AppContext, type AppEnv, spend } from './gate.ts';
import type { RouteTools } from './route-tools.ts';
import { throttle } from './throttle.ts';

const FORM_TYPES = ['application/x-www-form-urlencoded'];

/** People do not see this field of the form; what fills it in is a bot. */
const HONEYPOT_FIELD = 'website';

/** Mounts the form's `action` for browsers in which scripts do not run: answers with a page for people. */
export function mountSignupForm(app: Hono<AppEnv>, tools: RouteTools): void {
  const { store, mailer, gate, origins, perEmail } = tools;
  const budget = throttle(tools.budgets.signupForms, tools.clock);

  async function signUp(
    form: URLSearchParams,
    referer: string | undefined,
  ): Promise<SignupResult | 'invalid' | 'failed'> {
    if (form.get(HONEYPOT_FIELD)) return 'failed';
    const email = emailOf(form);
    if (email === null) return 'invalid';
    spend(perEmail, email);
    const source = form.get('source') ?? 'landing_page';
    const result = await store.createSignup(
      parseSignup({
        email,
        session_id: null,
        source,
        referrer: null,
        submission_id: randomUUID(),
        ...attributionOfForm(referer),
      }),
    );
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
      const form = new URLSearchParams(await gate.admit(c, budget, FORM_TYPES));
      return page(c, await signUp(form, c.req.header('referer')));
    } catch (error) {
      const failure = toFailure(error);
      tools.report(failure, c);
      return page(c, 'failed', failure);
    }
  });
}

function emailOf(form: URLSearchParams): string | null {
  try {
    return parseEmail(form.get('email'));
  } catch {
    return null;
  }
}
