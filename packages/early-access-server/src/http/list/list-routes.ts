import type { Hono } from 'hono';
import * as z from 'zod';
import { usesOf } from '../../app/access/rate-limits.ts';
import type { ListStore } from '../../app/list/list-store.ts';
import { hashToken, isToken } from '../../app/secrets.ts';
import { parseJson, readBody } from '../body.ts';
import { Failure, JSON_HEADERS, retryHeader, toFailure } from '../failure.ts';
import { parseInput } from '../openapi/schema.ts';
import { languageOf } from '../page.ts';
import type { AppContext, AppEnv, RouteContext } from '../route-context.ts';
import { confirmBody, confirmResult, linkBody, unsubscribeQuery, unsubscribeResult } from '../schemas/visitors.ts';
import { confirmPage } from './confirm-page.ts';
import { jsonResponse, postRoutes } from './post-routes.ts';
import { ONE_CLICK, unsubscribePage } from './unsubscribe-page.ts';

const JSON_TYPE = 'application/json';

const oneClick = z.object({ [ONE_CLICK.name]: z.literal(ONE_CLICK.value) });

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

  const page = {
    method: 'get',
    access: 'public',
    responses: { 200: { 'text/html': null } },
    failures: [],
    isPage: true,
  } as const;
  context.describe({
    ...page,
    path: '/confirm',
    summary: 'The page that confirms a signup. Opening it changes nothing.',
  });
  app.get('/confirm', (c) => new Response(confirming.html(language(c), backLink), { headers: confirming.headers }));

  const confirm = {
    summary: 'Confirms a signup.',
    details: 'With `submission_id`, confirms only if it is the one of the signup that the link was sent to.',
    access: 'public',
    body: confirmBody,
    responses: { 200: confirmResult },
  } as const;
  post('/confirm', confirm, async (c) => {
    const body = parseJson(await context.readText(c, 'confirmations', [JSON_TYPE]));
    const { token, submission_id: key = null } = parseInput(confirmBody, body);
    return jsonResponse({ result: isToken(token) ? await list.confirm(hashToken(token), key) : 'unknown' });
  });

  // The same response whether or not an email is queued, so that a link tells nothing about the person.
  const renew = {
    summary: 'Sends a new link to confirm, to the person whom the link was sent to.',
    access: 'public',
    body: linkBody,
    responses: { 202: null },
  } as const;
  post('/confirm/renew', renew, async (c) => {
    const { token } = parseInput(linkBody, parseJson(await context.readText(c, 'renewals', [JSON_TYPE])));
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

  const unsubscription = {
    summary: 'Unsubscribes a person.',
    details: 'With JSON, or as RFC 8058 says: the token in the query, and a form as the body.',
    access: 'public',
    query: unsubscribeQuery,
    bodies: { [JSON_TYPE]: linkBody, 'application/x-www-form-urlencoded': oneClick, 'multipart/form-data': oneClick },
    failures: [400, 413, 429, 500, 503],
  } as const;
  post('/unsubscribe', { ...unsubscription, responses: { 200: unsubscribeResult } }, async (c) =>
    jsonResponse({ result: await unsubscribe(c) }),
  );

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

  context.describe({
    ...page,
    path: '/unsubscribe',
    summary: 'The page to unsubscribe. Opening it changes nothing.',
    query: unsubscribeQuery,
  });
  app.get('/unsubscribe', (c) => unsubscribeResponse(c, isToken(c.req.query('token')) ? 'ask' : 'unknown'));

  context.describe({
    ...unsubscription,
    method: 'post',
    path: '/unsubscribe',
    responses: page.responses,
    isPage: true,
  });
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
  if (type.startsWith(JSON_TYPE)) return parseInput(linkBody, parseJson(text)).token;
  const form = await new Response(text, { headers: { 'Content-Type': type } }).formData().catch(() => null);
  if (form?.get(ONE_CLICK.name) !== ONE_CLICK.value) {
    throw new Failure(400, 'invalid', `the body must be a form with ${ONE_CLICK.name}=${ONE_CLICK.value}, or JSON`);
  }
  return c.req.query('token');
}
