import { DEFAULT_BASE, ROUTES } from 'early-access-kit/internal';
import { CHALLENGE_ROUTE, formFrames, type readPublicRoutes } from 'early-access-server/internal';

/** Paths that Hosting rewrites to the functions. Browsers write sessions to Firestore directly. */
const routes = (...paths: readonly string[]) => paths.map((path) => DEFAULT_BASE + path);

const AGENT_PATHS = ['/skill.md', '/llms.txt'];
export const ADMIN_PATHS = [...routes('/admin/**', '/brand', '/brand/**', '/openapi.json'), ...AGENT_PATHS];
/** The pages and routes of links in emails, the texts for a visitor who waits for one, and their share link. */
export const LINK_PATHS = [
  ...['/confirm', '/unsubscribe', '/invite'],
  ...routes('/confirm', '/confirm/renew', '/unsubscribe', '/links', ROUTES.inbox, ROUTES.share),
];
const STATUS_PAGE = '/status';
/** Each person's private page, and whether the database responds. */
export const STATUS_PATHS = [STATUS_PAGE, ...routes('/status', '/status/**'), '/healthz'];
/** The routes that the product calls to let invited people in. */
export const INVITE_PATHS = routes('/invites/**');
/** The routes that mail providers call. */
export const MAIL_EVENT_PATHS = routes('/mail-events/**');
/** The route that pages call to sign up. */
export const SIGNUP_PATHS = routes(ROUTES.signups);
/** What pages with the form need besides: the challenge of the human check, the number of people, and sessions. */
export const PAGE_PATHS = routes(ROUTES.welcomeEmail, CHALLENGE_ROUTE, '/count', ROUTES.sessions, '/sessions/*');
/** The pages with the form that are not the site's own. */
const JOIN_PATHS = ['/join', '/join/qr.svg'];
const FRAME_PAGE = '/form';
export const FORM_PAGE_PATHS = [...JOIN_PATHS, FRAME_PAGE];
/** The route that forms without scripts call. */
const FORM_PATHS = routes(ROUTES.signupForm);

/** All of them, by function. */
export const HOSTED_PATHS: Readonly<Record<string, readonly string[]>> = {
  'submit-signup-form': FORM_PATHS,
  'accept-signups': [...SIGNUP_PATHS, ...PAGE_PATHS, ...FORM_PAGE_PATHS],
  admin: ADMIN_PATHS,
  links: [...LINK_PATHS, ...STATUS_PATHS, ...INVITE_PATHS, ...MAIL_EVENT_PATHS],
};

/** Those that these settings leave to the site. Under `/api`, the functions answer for everything. */
export function pathsOfSite(settings: ReturnType<typeof readPublicRoutes>): readonly string[] {
  const { hostedForms, statusPage, agentDocs } = settings;
  return [
    ...(hostedForms.joinPage ? [] : JOIN_PATHS),
    ...(formFrames(hostedForms, null).isOn ? [] : [FRAME_PAGE]),
    ...(statusPage ? [] : [STATUS_PAGE]),
    ...(agentDocs ? [] : AGENT_PATHS),
  ];
}

/** Whether the path is one of these, or below one. */
export function isOneOf(path: string, paths: readonly string[]): boolean {
  return paths.some((one) => path.startsWith(one.replace(/\*+$/, '')));
}
