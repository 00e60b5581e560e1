import { type Attribution, DEFAULT_BASE, MAX_BODY_BYTES, ROUTES, type StorageAdapter } from 'early-access-kit/internal';
import { originRefusal } from '../../app/access/origins.ts';
import type { FormOutcome } from '../../app/signup/form-outcome.ts';
import { type ClosedNotice, isListClosed } from '../../app/signup/list-status.ts';
import { type SignupSteps, signUp } from '../../app/signup/sign-up.ts';
import { attributionOfForm, FORM_TYPE, readSignupForm } from '../../app/signup/signup-form.ts';
import { findWebmail } from '../../app/signup/webmail.ts';
import { addQuery, type FormState, FRAME_PAGE, formUrl, frameRights } from '../pages/form-page.ts';
import { chooseLanguage, findVisitorLanguage } from '../pages/page.ts';
import { RESULTS, resultPages } from '../pages/result-page.ts';
import { type Failure, retryHeader } from '../routing/failure.ts';
import { mountRoute, noteFailure } from '../routing/mount-route.ts';
import {
  type AppContext,
  findSuccessPage,
  judgeOrigin,
  type RouteContext,
  readAddress,
  readText,
  readTextFromAnywhere,
} from '../routing/request-context.ts';
import { hostedFormQuery, signupForm } from '../routing/schemas/visitors.ts';
import { NO_STORE, PLAIN_HEADERS } from '../routing/security-headers.ts';
import { readFormState } from './hosted-forms.ts';

/** URL encoding needs up to nine bytes for a character that takes three in JSON. */
const MAX_FORM_BYTES = 3 * MAX_BODY_BYTES;

const ROUTE = {
  method: 'post',
  path: DEFAULT_BASE + ROUTES.signupForm,
  access: 'public',
  summary: 'The `action` of the form for browsers that run no scripts. Responds with a page for people.',
  query: hostedFormQuery,
  bodies: { [FORM_TYPE]: signupForm },
  details:
    'After a success, it leads to the page that `success_url` names, if that is of an origin that may use the API.',
  responses: { 201: { 'text/html': null }, 202: { 'text/html': null }, 303: null },
  refusals: {
    403: 'The page may not sign up, or the list accepts nobody now. If it keeps the address until it opens: 202.',
    409: 'The address is on the list already.',
  },
  isPage: true,
} as const;

interface FormResult {
  readonly outcome: FormOutcome;
  /** The label of the field that is missing or invalid. */
  readonly field?: string;
  readonly webmail?: string | undefined;
  /** The admin's notice if the list accepts nobody. */
  readonly notice?: ClosedNotice;
}

/** Mounts the form's `action` for browsers without scripts. It responds with a page. */
export function mountSignupForm(context: RouteContext, adapter: StorageAdapter, steps: SignupSteps): void {
  const { brand, texts, fields, frames, statusPage } = context;
  const plain = resultPages(brand, texts, { statusPage, rights: { opensFromFrames: frames.isOn } });
  const framed = frames.isOn ? resultPages(brand, texts, { rights: frameRights(frames.origins) }) : plain;
  const framedAnywhere = frames.isOn ? resultPages(brand, texts, { rights: frameRights(null) }) : plain;

  async function signUpByForm(c: AppContext, body: string): Promise<FormResult> {
    const signup = readSignupForm(body, { referer: c.req.header('referer'), declarations: fields });
    if (typeof signup === 'string') return { outcome: signup };
    if ('problem' in signup) {
      return { outcome: signup.problem === 'required' ? 'missing-field' : 'invalid-field', field: signup.label };
    }
    const language = findVisitorLanguage(new URLSearchParams(body).get('lang'), c.req.header('accept-language'));
    const outcome = await signUp({ signup, language, clientAddress: readAddress(c, context), human: null }, steps);
    if (isListClosed(outcome)) {
      return { outcome: outcome.takes_requests ? 'requested' : outcome.closed, notice: outcome };
    }
    // No script will request the email. The signup is stored, so a failure does not affect the visitor.
    if (outcome === 'created' || outcome === 'pending') await adapter.sendWelcomeEmail(signup.email).catch(() => {});
    return { outcome, webmail: outcome === 'pending' ? findWebmail(signup.email) : undefined };
  }

  function page(c: AppContext, lang: string | null, { outcome, ...about }: FormResult, failure?: Failure): Response {
    // The body of a rejected request is not read, but the `action` of the server's own form contains the language.
    const language = chooseLanguage(lang ?? c.req.query('lang'), c.req.header('accept-language'));
    const state = readFormState(c, context);
    const framedPages = state?.key === undefined ? framed : framedAnywhere;
    const isFramed = state?.page === FRAME_PAGE && state.success_url === undefined;
    const pages = isFramed ? framedPages : plain;
    const back = backLink(c, state);
    return new Response(pages.html({ outcome, language, backLink: back, ...about, theme: state?.theme }), {
      status: failure?.status ?? RESULTS[outcome].status,
      headers: { ...pages.headers, ...(failure && retryHeader(failure)) },
    });
  }

  /**
   * The page that the form was on, with its campaign, if its site reveals it and may sign people up. The visitor may
   * try again there.
   */
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
      // Frames that are sandboxed without an origin send `null`, like many other pages. The key shows that the form is
      // the server's own.
      const isKeyed = c.req.header('origin') === 'null' && readFormState(c, context)?.key !== undefined;
      const read = isKeyed ? readTextFromAnywhere : readText;
      const body = await read(c, context, 'signupForms', [FORM_TYPE], MAX_FORM_BYTES);
      const form = new URLSearchParams(body);
      lang = form.get('lang');
      const result = await signUpByForm(c, body);
      const isSuccess = result.outcome === 'created' || result.outcome === 'pending';
      const next = isSuccess && findSuccessPage(form.get('success_url') ?? c.req.query('success_url'), c, context);
      if (!next) return page(c, lang, result);
      return new Response(null, {
        status: 303,
        headers: { ...PLAIN_HEADERS, 'Cache-Control': NO_STORE, Location: next },
      });
    } catch (error) {
      const failure = noteFailure(error, c, context);
      const isForbidden = failure.code === 'forbidden';
      const outcome = isForbidden ? originRefusal(c.req.header('origin')).outcome : 'failed';
      return page(c, lang, { outcome }, failure);
    }
  });
}

/** UTM parameters of links in emails may contain the reader's address, which the server never writes into URLs. */
function withoutAddresses(campaign: Omit<Attribution, 'page_url'>): Record<string, string> {
  return Object.fromEntries(Object.entries(campaign).filter(([, value]) => !/\S@\S/.test(value)));
}
