import { MAX_LENGTH } from 'early-access-kit/core';
import type { Hono } from 'hono';
import { usesOf } from '../../app/access/rate-limits.ts';
import { fieldOf } from '../../app/field-of.ts';
import type { ListStore } from '../../app/list/list-store.ts';
import { hashToken, isToken } from '../../app/tokens.ts';
import { readBody } from '../body.ts';
import { Failure, JSON_HEADERS, retryHeader, toFailure } from '../failure.ts';
import { parseJson } from '../json.ts';
import { languageOf } from '../page.ts';
import type { AppContext, AppEnv, RouteContext } from '../route-context.ts';
import { confirmPage } from './confirm-page.ts';
import { jsonResponse, postRoutes } from './post-routes.ts';
import { ONE_CLICK, unsubscribePage } from './unsubscribe-page.ts';

const JSON_TYPE = 'application/json';

/** The part of a store that links in emails use. */
export type LinkStore = Pick<ListStore, 'confirm' | 'renewConfirmation' | 'unsubscribe'>;

/** Mounts the pages and routes that links in emails lead to. Opening a page changes nothing and reads nothing. */
export function mountList(app: Hono<AppEnv>, context: RouteContext, list: LinkStore): void {
  const { limiter, wakeMail, brand, publicUrl } = context;
  const confirming = confirmPage(brand);
  const unsubscribing = unsubscribePage(brand);
  const backLink = brand.url ?? publicUrl?.href ?? '/';
  const language = (c: AppContext) => languageOf(null, c.req.header('accept-language'));

  const post = postRoutes(app, context);

  app.get('/confirm', (c) => new Response(confirming.html(language(c), backLink), { headers: confirming.headers }));

  post('/confirm', async (c) => {
    const body = parseJson(await context.readText(c, 'confirmations', [JSON_TYPE]));
    const [token, key] = [fieldOf(body, 'token'), fieldOf(body, 'submission_id') ?? null];
    if (key !== null && (typeof key !== 'string' || key.length > MAX_LENGTH.id)) {
      throw new Failure(400, 'invalid', 'submission_id must be the id of a signup');
    }
    return jsonResponse({ result: isToken(token) ? await list.confirm(hashToken(token), key) : 'unknown' });
  });

  // The same response whether or not an email is queued, so that a link tells nothing about the person.
  post('/confirm/renew', async (c) => {
    const token = fieldOf(parseJson(await context.readText(c, 'renewals', [JSON_TYPE])), 'token');
    if (isToken(token)) {
      const hash = hashToken(token);
      await limiter.take([{ limit: 'renewalsPerLink', key: hash }]);
      if ((await list.renewConfirmation(hash)) === 'queued') wakeMail();
    }
    return new Response(null, { status: 202, headers: { ...JSON_HEADERS, 'Content-Length': '0' } });
  });

  /**
   * Whoever has the token may unsubscribe, wherever the request comes from: mail providers send no origin, and a page without a referrer
   * sends `null`.
   */
  async function unsubscribe(c: AppContext): Promise<'unsubscribed' | 'unknown'> {
    await limiter.take(usesOf('unsubscriptions', context.clientOf(c)));
    const token = await unsubscribeToken(c);
    return isToken(token) ? list.unsubscribe(hashToken(token)) : 'unknown';
  }

  post('/unsubscribe', async (c) => jsonResponse({ result: await unsubscribe(c) }));

  function unsubscribeResponse(
    c: AppContext,
    step: Parameters<typeof unsubscribing.html>[0],
    failure?: Failure,
  ): Response {
    return new Response(unsubscribing.html(step, language(c), backLink), {
      status: failure?.status ?? 200,
      headers: { ...unsubscribing.headers, ...(failure && retryHeader(failure)) },
    });
  }

  app.get('/unsubscribe', (c) => unsubscribeResponse(c, isToken(c.req.query('token')) ? 'ask' : 'unknown'));

  app.post('/unsubscribe', async (c) => {
    try {
      return unsubscribeResponse(c, await unsubscribe(c));
    } catch (error) {
      const failure = toFailure(error);
      context.report(failure, c);
      return unsubscribeResponse(c, 'failed', failure);
    }
  });
}

/** From the body if it is JSON, else from the URL. A form must say what RFC 8058 says; it may be multipart. */
async function unsubscribeToken(c: AppContext): Promise<unknown> {
  const type = c.req.header('content-type') ?? '';
  const text = await readBody(c.req.raw);
  if (type.startsWith(JSON_TYPE)) return fieldOf(parseJson(text), 'token');
  const form = await new Response(text, { headers: { 'Content-Type': type } }).formData().catch(() => null);
  if (form?.get(ONE_CLICK.name) !== ONE_CLICK.value) {
    throw new Failure(400, 'invalid', `the body must be a form with ${ONE_CLICK.name}=${ONE_CLICK.value}, or JSON`);
  }
  return c.req.query('token');
}
