import { renderSVG } from 'uqr';
import type { ListClosed } from '../../app/signup/list-status.ts';
import {
  type FormState,
  FRAME_PAGE,
  formUrl,
  frameLinkPage,
  framePage,
  JOIN_PAGE,
  joinPage,
  QR_CODE,
} from '../pages/form-page.ts';
import { chooseLanguage } from '../pages/page.ts';
import { mountRoute } from '../routing/mount-route.ts';
import { type AppContext, findSuccessPage, type RouteContext } from '../routing/request-context.ts';
import { hostedFormQuery } from '../routing/schemas/visitors.ts';
import { NO_STORE, PLAIN_HEADERS } from '../routing/security-headers.ts';

const PAGE = {
  method: 'get',
  access: 'public',
  query: hostedFormQuery,
  responses: { 200: { 'text/html': null } },
  failures: [],
  isPage: true,
} as const;
const JOIN = { ...PAGE, path: JOIN_PAGE, summary: 'The signup page for a product without a page.' };
const FRAME = {
  ...PAGE,
  path: FRAME_PAGE,
  summary: 'The signup form for an iframe.',
  details: 'Pages that may not frame it get a page with a link to the form instead.',
};
const QR = {
  ...PAGE,
  path: QR_CODE,
  query: undefined,
  summary: 'A QR code of `/join`, to print.',
  responses: { 200: { 'image/svg+xml': null } },
};

const MAX_TAG_LENGTH = 35;

/** Data shown besides the form. Not essential: if reading it fails, it is left out. */
interface ShownReads {
  /** Returns how many people have joined. Null: the host does not show it. */
  readonly readCount: (() => Promise<number | null>) | null;
  /** Returns why the list accepts nobody now, or null. */
  readonly readClosed: () => Promise<ListClosed | null>;
}

const NOTHING: ShownReads = { readCount: null, readClosed: async () => null };

/** Mounts the form pages that are turned on in the settings. */
export function mountHostedForms(context: RouteContext, reads: ShownReads = NOTHING): void {
  if (context.hasJoinPage) mountJoinPage(context, reads);
  if (context.frames.isOn) mountFramePage(context, reads);
}

/** Returns whether the path is an enabled form page. */
export function isHostedForm(path: string, { hasJoinPage, frames }: RouteContext): boolean {
  return path === FRAME_PAGE ? frames.isOn : hasJoinPage && (path === JOIN_PAGE || path === QR_CODE);
}

/** The state of the hosted form that a request is for or comes from, or null. */
export function readFormState(c: AppContext, context: RouteContext): FormState | null {
  const { page, key, theme, lang, success_url } = c.req.query();
  const path = isHostedForm(c.req.path, context) ? c.req.path : `/${page}`;
  if ((path !== JOIN_PAGE && path !== FRAME_PAGE) || !isHostedForm(path, context)) return null;
  const successUrl = findSuccessPage(success_url, c, context);
  return {
    page: path,
    ...(successUrl !== undefined && { success_url: successUrl }),
    ...(path === FRAME_PAGE && context.frames.findSource(key) !== undefined && { key }),
    ...((theme === 'light' || theme === 'dark') && { theme }),
    ...(lang !== undefined && { lang: lang.slice(0, MAX_TAG_LENGTH) }),
  };
}

function mountJoinPage(context: RouteContext, { readCount, readClosed }: ShownReads): void {
  const { brand, fields, texts, publicUrl, frames } = context;
  const { headersFor, html } = joinPage(brand, fields, texts, { opensFromFrames: frames.isOn });
  const url = (c: AppContext) => new URL(JOIN_PAGE, publicUrl ?? c.req.url).href;
  mountRoute(context, JOIN, async (c) => {
    const state = readFormState(c, context) ?? { page: JOIN_PAGE };
    const [count, closed] = await Promise.all([readCount?.().catch(() => null), readClosed().catch(() => null)]);
    const page = html({ language: readLanguage(c), state, source: 'join', url: url(c), count: count ?? null, closed });
    return new Response(page, { headers: headersFor(state) });
  });
  // Cached, because rendering takes milliseconds and there is only one URL unless `publicUrl` is missing.
  let code = { url: '', svg: '' };
  mountRoute(context, QR, (c) => {
    if (code.url !== url(c)) code = { url: url(c), svg: renderSVG(`${url(c)}?utm_source=qr`, { ecc: 'M', border: 4 }) };
    return new Response(code.svg, {
      headers: { ...PLAIN_HEADERS, 'Cache-Control': NO_STORE, 'Content-Type': 'image/svg+xml' },
    });
  });
}

function mountFramePage(context: RouteContext, { readClosed }: ShownReads): void {
  const { brand, fields, texts, frames, hasJoinPage, logRefusedFrame } = context;
  const listed = framePage(brand, frames.origins, fields, texts);
  const anywhere = framePage(brand, null, fields, texts);
  const link = frameLinkPage(brand, texts);
  mountRoute(context, FRAME, async (c) => {
    const state = readFormState(c, context) ?? { page: FRAME_PAGE };
    const language = readLanguage(c);
    const verdict = frames.judge({
      key: state.key,
      destination: c.req.header('sec-fetch-dest'),
      referer: c.req.header('referer'),
      host: c.req.header('host'),
    });
    if (verdict !== true) {
      logRefusedFrame(verdict);
      const url = formUrl({ page: hasJoinPage ? JOIN_PAGE : FRAME_PAGE, lang: state.lang });
      return new Response(link.html(language, url, state.theme), { headers: link.headers });
    }
    const page = state.key === undefined ? listed : anywhere;
    const source = frames.findSource(state.key) ?? 'form';
    const closed = await readClosed().catch(() => null);
    return new Response(page.html({ language, state, source, closed }), { headers: page.headersFor(state) });
  });
}

function readLanguage(c: AppContext) {
  return chooseLanguage(c.req.query('lang'), c.req.header('accept-language'));
}
