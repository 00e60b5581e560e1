import { isValidEmail, normalizeEmail, ROUTES } from 'early-access-kit/core';
import type { OwnLink, ShareStore } from '../../app/ports/share-store.ts';
import { describeShare, type Share, type ShareOptions } from '../../app/share/describe-share.ts';
import { chooseLanguage } from '../pages/page.ts';
import { shareTexts } from '../pages/page-texts.ts';
import { parseInput } from '../server/openapi/schema.ts';
import type { AppContext, RouteContext } from '../server/request-context.ts';
import { inboxBody, shareResult } from '../server/schemas/visitors.ts';
import { post, respondWithCors } from './visitor-routes.ts';

/** Mounts the route by which the browser that has just signed up learns its own share link. */
export function mountShare(context: RouteContext, store: ShareStore, options: ShareOptions): void {
  const route = {
    summary: 'The share link of a signup, for the browser that made it, with texts for it.',
    details:
      'Null unless the address is on the list by the signup with this `submission_id`, which no one else knows: the answer reveals nothing about an address.',
    body: inboxBody,
    responses: { 200: shareResult },
  };
  post(context, ROUTES.share, 'welcomeEmails', route, async (body, c) => {
    const { email, submission_id, lang } = parseInput(inboxBody, body);
    const link = isValidEmail(email) ? await store.openLink(normalizeEmail(email), submission_id) : null;
    const language = chooseLanguage(lang, c.req.header('accept-language'));
    const share = link && shareTexts(toShare(c, context, link, options), context.texts[language], language);
    return respondWithCors(c, context, 200, JSON.stringify({ share }));
  });
}

/** The link as its owner sees it. */
export function toShare(c: AppContext, context: RouteContext, link: OwnLink, options: ShareOptions): Share {
  const { homeUrl, origins } = context;
  return describeShare(link, {
    ...options,
    homeUrl: new URL(homeUrl, context.publicUrl ?? c.req.url).href,
    isOwnOrigin: (origin) => origins.judge(origin, c.req.header('host')) !== 'foreign',
  });
}
