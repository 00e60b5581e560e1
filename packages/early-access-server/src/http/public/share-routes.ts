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

/** Mounts the route that returns the share link of a signup to the browser that made it. */
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

/** Returns a function that reads the share link of a person who may still refer others, with its texts. */
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
 * The link as its owner sees it. A framing page does not pass the code on to the form in its frame, so friends get the
 * `/join` page instead.
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
  // A sandboxed frame sends no page URL, and the home page may only contain such a frame. Opened in a tab, `/form`
  // stores the code.
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
