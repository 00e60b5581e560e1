import { DEFAULT_BASE } from 'early-access-kit/internal';
import * as z from 'zod';
import { listUses } from '../../app/access/rate-limits.ts';
import { hashToken, isToken } from '../../app/access/secrets.ts';
import type { Language } from '../../app/brand/language.ts';
import { TEST_TOKEN } from '../../app/people/links.ts';
import { readLinkToken } from '../../app/people/meant-link.ts';
import type { ListStore } from '../../app/ports/list-store.ts';
import type { Store } from '../../app/ports/store.ts';
import type { ShareOptions } from '../../app/share/describe-share.ts';
import { confirmPage } from '../pages/confirm-page.ts';
import { chooseLanguage } from '../pages/page.ts';
import { ONE_CLICK, unsubscribePage } from '../pages/unsubscribe-page.ts';
import { parseJson, readBody } from '../routing/body.ts';
import { Failure, JSON_HEADERS, jsonResponse, retryHeader } from '../routing/failure.ts';
import { mountRoute } from '../routing/mount-route.ts';
import { parseInput } from '../routing/openapi/schema.ts';
import { type AppContext, identifyClient, type RouteContext, readText } from '../routing/request-context.ts';
import {
  confirmBody,
  confirmResult,
  linkBody,
  unsubscribeQuery,
  unsubscribeResult,
} from '../routing/schemas/visitors.ts';
import { LINK_PAGE } from './link-redirects.ts';
import { shareReader } from './share-routes.ts';

const JSON_TYPE = 'application/json';
const MULTIPART = 'multipart/form-data';

const oneClick = z.object({ [ONE_CLICK.name]: z.literal(ONE_CLICK.value) });

const UNSUBSCRIPTION = {
  method: 'post',
  summary: 'Unsubscribes a person.',
  details:
    'Send the token in a JSON body, or unsubscribe with one click as in RFC 8058: the token in the query, and `List-Unsubscribe=One-Click` in a form as the body, with either content type or none. `/api/unsubscribe` also accepts an empty body, because some mail programs send none. The page at `/unsubscribe` does not, because a scanner may submit its form. GET leads to the page.',
  access: 'public',
  query: unsubscribeQuery,
  bodies: { [JSON_TYPE]: linkBody, 'application/x-www-form-urlencoded': oneClick, [MULTIPART]: oneClick },
  failures: [400, 413, 429, 500, 503],
} as const;

const CONFIRMATION = {
  method: 'post',
  path: `${DEFAULT_BASE}/confirm`,
  summary: 'Confirms a signup.',
  details: 'With `submission_id`, confirms only if it belongs to the signup that the link was sent for.',
  access: 'public',
  body: confirmBody,
  responses: { 200: confirmResult },
} as const;

const RENEWAL = {
  method: 'post',
  path: `${DEFAULT_BASE}/confirm/renew`,
  summary: 'Sends a new link to confirm, to the person whom the link was sent to.',
  access: 'public',
  body: linkBody,
  responses: { 202: null },
} as const;

/** Mounts the pages and routes of email links. Opening a page changes nothing and reads nothing. */
export function mountLinks(context: RouteContext, store: Store, share: ShareOptions | null): void {
  mountConfirmation(context, store, share);
  mountUnsubscription(context, store.list);
}

function mountConfirmation(context: RouteContext, store: Store, share: ShareOptions | null): void {
  const { list, people } = store;
  const { brand, texts, statusPage } = context;
  const { html, headers } = confirmPage(brand, texts, { statusPage, shares: share !== null });
  const readLink = shareReader(context, store.share, share);

  /** The share link of a person who has confirmed. The token proves that they received the email. */
  async function readOwnLink(hash: string, c: AppContext) {
    const id = share && (await list.findOwner(hash, 'confirm'));
    const person = id && (await people.find(id));
    return person ? readLink(person, c) : {};
  }

  const page = {
    ...LINK_PAGE,
    path: '/confirm',
    summary: 'The page that confirms a signup. Opening it changes nothing.',
  };
  mountRoute(context, page, (c) => new Response(html(readLanguage(c), context.homeUrl), { headers }));

  mountRoute(context, CONFIRMATION, async (c) => {
    const body = parseJson(await readText(c, context, 'confirmations', [JSON_TYPE]));
    const { token, submission_id: key = null } = parseInput(confirmBody, body);
    const hash = isToken(token) ? hashToken(token) : null;
    const result = hash === null ? 'unknown' : await list.confirm(hash, key);
    const isConfirmed = result === 'confirmed' || result === 'already-confirmed';
    // The address is confirmed, so a failure here does not affect the person.
    const link = isConfirmed && hash !== null ? await readOwnLink(hash, c).catch(() => ({})) : {};
    return jsonResponse({ result, ...link });
  });

  // The same response whether or not an email is queued, so that a link reveals nothing about the person.
  mountRoute(context, RENEWAL, async (c) => {
    const { token } = parseInput(linkBody, parseJson(await readText(c, context, 'renewals', [JSON_TYPE])));
    if (isToken(token)) {
      const hash = hashToken(token);
      await context.limiter.take([{ limit: 'renewalsPerLink', key: hash }]);
      if ((await list.renewConfirmation(hash)) === 'queued') context.wakeMail();
    }
    return new Response(null, { status: 202, headers: { ...JSON_HEADERS, 'Content-Length': '0' } });
  });
}

function mountUnsubscription(context: RouteContext, list: ListStore): void {
  const page = unsubscribePage(context.brand, context.texts, context);
  function respond(c: AppContext, step: Parameters<typeof page.html>[0], failure?: Failure): Response {
    return new Response(page.html(step, readLanguage(c), context.homeUrl), {
      status: failure?.status ?? 200,
      headers: { ...page.headers, ...(failure && retryHeader(failure)) },
    });
  }

  const path = '/unsubscribe';
  const summary = 'The page to unsubscribe. Opening it changes nothing.';
  mountRoute(context, { ...LINK_PAGE, path, summary, query: unsubscribeQuery }, (c) =>
    respond(c, isToken(c.req.query('token')) ? 'ask' : 'unknown'),
  );
  mountRoute(
    context,
    { ...UNSUBSCRIPTION, path, responses: { 200: LINK_PAGE.responses[200] }, isPage: true },
    async (c) => respond(c, await unsubscribe(c, context, list, isOneClick)),
    (failure, c) => respond(c, 'failed', failure),
  );
  const route = { ...UNSUBSCRIPTION, path: DEFAULT_BASE + path, responses: { 200: unsubscribeResult } };
  mountRoute(context, route, async (c) =>
    jsonResponse({ result: await unsubscribe(c, context, list, isOneClickOrEmpty) }),
  );
}

/** Returns whether a body that is not JSON requests unsubscribing. */
type AsksToUnsubscribe = (body: string, type: string) => Promise<boolean>;

/**
 * Anyone with the token may unsubscribe, from any origin: mail providers send none, and a page without a referrer sends
 * `null`.
 */
async function unsubscribe(
  c: AppContext,
  context: RouteContext,
  list: ListStore,
  asks: AsksToUnsubscribe,
): Promise<'unsubscribed' | 'unknown'> {
  await context.limiter.take(listUses('unsubscriptions', identifyClient(c, context)));
  const token = await unsubscribeToken(c, asks);
  if (token === TEST_TOKEN) return 'unsubscribed';
  return isToken(token) ? list.unsubscribe(hashToken(token)) : 'unknown';
}

function readLanguage(c: AppContext): Language {
  return chooseLanguage(null, c.req.header('accept-language'));
}

/** Reads the token from a JSON body, otherwise from the URL. */
async function unsubscribeToken(c: AppContext, asks: AsksToUnsubscribe): Promise<unknown> {
  const type = c.req.header('content-type')?.toLowerCase() ?? '';
  const text = await readBody(c.req.raw);
  if (type.startsWith(JSON_TYPE)) return parseInput(linkBody, parseJson(text)).token;
  if (!(await asks(text, c.req.header('content-type') ?? ''))) {
    throw new Failure(400, 'invalid', `the body must be a form with ${ONE_CLICK.name}=${ONE_CLICK.value}, or JSON`);
  }
  return readLinkToken(new URL(c.req.url).search);
}

/** Returns whether the body is the form of RFC 8058. Some mail programs append a line break or send no content type. */
const isOneClick: AsksToUnsubscribe = async (body, type) => {
  const form = type.toLowerCase().startsWith(MULTIPART)
    ? await new Response(body, { headers: { 'Content-Type': type } }).formData().catch(() => null)
    : new URLSearchParams(body);
  const value = form?.get(ONE_CLICK.name);
  return typeof value === 'string' && value.trim() === ONE_CLICK.value;
};

const isOneClickOrEmpty: AsksToUnsubscribe = async (body, type) => body.trim() === '' || isOneClick(body, type);
