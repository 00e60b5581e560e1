import { type Attribution, DEFAULT_BASE, MAX_BODY_BYTES, ROUTES, type StorageAdapter } from 'early-access-kit/core';
import { originRefusal } from '../../app/access/origins.ts';
import { normalizeMailbox } from '../../app/mail/mail-quota.ts';
import type { FormOutcome } from '../../app/signup/form-outcome.ts';
import { attributionOfForm, FORM_TYPE, readSignupForm } from '../../app/signup/signup-form.ts';
import { findWebmail } from '../../app/signup/webmail.ts';
import { addQuery, type FormState, FRAME_PAGE, formUrl, frameRights } from '../pages/form-page.ts';
import { chooseLanguage, findVisitorLanguage } from '../pages/page.ts';
import { RESULTS, resultPages } from '../pages/result-page.ts';
import { type Failure, retryHeader } from '../server/failure.ts';
import { mountRoute, noteFailure } from '../server/mount-route.ts';
import {
  type AppContext,
  findAddressProblem,
  judgeOrigin,
  type RouteContext,
  readText,
  readTextFromAnywhere,
} from '../server/request-context.ts';
import { hostedFormQuery, signupForm } from '../server/schemas/visitors.ts';
import { readFormState } from './hosted-forms.ts';

/** A form's encoding makes up to nine bytes of a character that takes three in JSON. */
const MAX_FORM_BYTES = 3 * MAX_BODY_BYTES;

const ROUTE = {
  method: 'post',
  path: DEFAULT_BASE + ROUTES.signupForm,
  access: 'public',
  summary: 'The `action` of the form for browsers that run no scripts. Responds with a page for people.',
  query: hostedFormQuery,
  bodies: { [FORM_TYPE]: signupForm },
  responses: { 201: { 'text/html': null } },
  refusals: { 409: 'The address is on the list already.' },
  isPage: true,
} as const;

interface FormResult {
  readonly outcome: FormOutcome;
  /** The label of the field that is missing or not valid. */
  readonly field?: string;
  readonly webmail?: string | undefined;
}

/** Mounts the form's `action` for browsers that run no scripts. It responds with a page for people. */
export function mountSignupForm(context: RouteContext, adapter: StorageAdapter): void {
  const { limiter, brand, texts, fields, frames, statusPage } = context;
  const plain = resultPages(brand, texts, { statusPage, rights: { opensFromFrames: frames.isOn } });
  const framed = frames.isOn ? resultPages(brand, texts, { rights: frameRights(frames.origins) }) : plain;
  const framedAnywhere = frames.isOn ? resultPages(brand, texts, { rights: frameRights(null) }) : plain;

  async function signUp(c: AppContext, body: string): Promise<FormResult> {
    const signup = readSignupForm(body, { referer: c.req.header('referer'), declarations: fields });
    if (typeof signup === 'string') return { outcome: signup };
    if ('problem' in signup) {
      return { outcome: signup.problem === 'required' ? 'missing-field' : 'invalid-field', field: signup.label };
    }
    await limiter.take([{ limit: 'signupsPerMailbox', key: normalizeMailbox(signup.email) }]);
    const problem = await findAddressProblem(signup.email, context);
    if (problem !== null) return { outcome: problem };
    const language = findVisitorLanguage(new URLSearchParams(body).get('lang'), c.req.header('accept-language'));
    const result = await adapter.createSignup(signup, language);
    // No script will ask for it. The signup is stored, so a failure changes nothing for the visitor.
    if (result !== 'duplicate') await adapter.sendWelcomeEmail(signup.email).catch(() => {});
    return { outcome: result, webmail: result === 'pending' ? findWebmail(signup.email) : undefined };
  }

  function page(
    c: AppContext,
    lang: string | null,
    { outcome, field, webmail }: FormResult,
    failure?: Failure,
  ): Response {
    // The body of a refused request is not read, but the action of the server's own form has its language.
    const language = chooseLanguage(lang ?? c.req.query('lang'), c.req.header('accept-language'));
    const state = readFormState(c, context);
    const framedPages = state?.key === undefined ? framed : framedAnywhere;
    const pages = state?.page === FRAME_PAGE ? framedPages : plain;
    const back = backLink(c, state);
    return new Response(pages.html({ outcome, language, backLink: back, field, webmail, theme: state?.theme }), {
      status: failure?.status ?? RESULTS[outcome].status,
      headers: { ...pages.headers, ...(failure && retryHeader(failure)) },
    });
  }

  /** The page that the form was on, if its site says so and may sign people up, with its campaign: the next try may succeed. */
  function backLink(c: AppContext, state: FormState | null): string {
    const { page_url: page, ...attribution } = attributionOfForm(c.req.header('referer'));
    const campaign = withoutAddresses(attribution);
    if (state !== null) return formUrl(state, campaign);
    const origin = c.req.header('origin');
    if (origin === undefined || judgeOrigin(c, context) === 'foreign') return context.homeUrl;
    return page?.startsWith(`${origin}/`) ? addQuery(page, campaign) : `${origin}/`;
  }

  mountRoute(context, ROUTE, async (c) => {
    let lang: string | null = null;
    try {
      // A frame that is sandboxed without its origin sends `null`, as many other pages do. Its key shows that it is the server's form.
      const isKeyed = c.req.header('origin') === 'null' && readFormState(c, context)?.key !== undefined;
      const read = isKeyed ? readTextFromAnywhere : readText;
      const body = await read(c, context, 'signupForms', [FORM_TYPE], MAX_FORM_BYTES);
      lang = new URLSearchParams(body).get('lang');
      return page(c, lang, await signUp(c, body));
    } catch (error) {
      const failure = noteFailure(error, c, context);
      const isForbidden = failure.code === 'forbidden';
      const outcome = isForbidden ? originRefusal(c.req.header('origin')).outcome : 'failed';
      return page(c, lang, { outcome }, failure);
    }
  });
}

/** Links in emails may name their reader, and no URL that the server writes contains an address. */
function withoutAddresses(campaign: Omit<Attribution, 'page_url'>): Record<string, string> {
  return Object.fromEntries(Object.entries(campaign).filter(([, value]) => !/\S@\S/.test(value)));
}
