import { isValidEmail, normalizeEmail, ROUTES } from 'early-access-kit/internal';
import type { PersonRecord } from '../../app/people/people.ts';
import type { OwnLink, ShareStore } from '../../app/ports/share-store.ts';
import { describeShare, type PageShare, type Share, type ShareOptions } from '../../app/share/describe-share.ts';
import { FRAME_PAGE, JOIN_PAGE } from '../pages/form-page.ts';
import { chooseLanguage } from '../pages/page.ts';
import { pageShare, shareTexts } from '../pages/page-texts.ts';
import { parseInput } from '../routing/openapi/schema.ts';
import type { AppContext, RouteContext } from '../routing/request-context.ts';
import { inboxBody, shareResult } from '../routing/schemas/visitors.ts';
import { post, respondWithCors } from './visitor-routes.ts';

/** Mounts the route by which the browser that has just signed up learns its own share link. */
export function mountShare(context: RouteContext, store: ShareStore, options: ShareOptions): void {
  const route = {
    summary: 'The share link of a signup, with its texts, for the browser that signed up.',
    details:
      'Null unless the address is on the list by the signup with this `submission_id`, which no one else knows: the response reveals nothing about an address.',
    body: inboxBody,
    responses: { 200: shareResult },
  };
  post(context, ROUTES.share, 'welcomeEmails', route, async (body, c) => {
    const { email, submission_id, lang } = parseInput(inboxBody, body);
    const link = isValidEmail(email) ? await store.openLink(normalizeEmail(email), submission_id) : null;
    const language = chooseLanguage(lang, c.req.header('accept-language'));
    const share =
      link && shareTexts(await toShare(c, context, store, link, options), context.texts[language], language);
    return respondWithCors(c, context, 200, JSON.stringify({ share }));
  });
}

/** Returns a function that reads the link of someone who may still bring friends, with texts for it. */
export function shareReader(context: RouteContext, store: ShareStore, options: ShareOptions | null) {
  return async ({ id, state }: PersonRecord, c: AppContext): Promise<{ readonly share?: PageShare }> => {
    if (options === null || state === 'unsubscribed' || state === 'pending') return {};
    const link = await store.readShare(id);
    if (!link) return {};
    const language = chooseLanguage(null, c.req.header('accept-language'));
    return { share: pageShare(await toShare(c, context, store, link, options), context.texts[language], language) };
  };
}

/**
 * The link as its owner sees it. A page around a frame does not pass the code on to the form, so friends of someone in
 * a frame get the whole page.
 */
async function toShare(
  c: AppContext,
  context: RouteContext,
  store: ShareStore,
  link: OwnLink,
  { showPlaces }: ShareOptions,
): Promise<Share> {
  const { frames, hasJoinPage, homeUrl, origins, publicUrl } = context;
  const judge = (origin: string) => origins.judge(origin, c.req.header('host'));
  const page = URL.parse(link.page ?? '');
  const isFrame = frames.isOn && page?.pathname === FRAME_PAGE && judge(page.origin) === 'own';
  // A sandboxed frame says no page, and the home page may have nothing but such a frame. In a tab, `/form` stores the
  // code.
  const withoutJoinPage = frames.isOn && link.page === null ? FRAME_PAGE : homeUrl;
  return describeShare(
    { ...link, page: isFrame && hasJoinPage ? null : link.page },
    showPlaces ? await store.readPlace(link.code) : null,
    {
      homeUrl: new URL(hasJoinPage ? JOIN_PAGE : withoutJoinPage, publicUrl ?? c.req.url).href,
      isOwnOrigin: (origin) => judge(origin) !== 'foreign',
    },
  );
}
