import { DEFAULT_BASE, ROUTES } from 'early-access-kit/internal';
import { CHALLENGE_ROUTE, formFrames, type readPublicRoutes } from 'early-access-server/internal';

/** Paths that Hosting rewrites to the functions. Browsers write sessions to Firestore directly. */
const routes = (...paths: readonly string[]) => paths.map((path) => DEFAULT_BASE + path);

const AGENT_PATHS = ['/skill.md', '/llms.txt'];
export const ADMIN_PATHS = [...routes('/admin/**', '/brand', '/brand/**', '/openapi.json'), ...AGENT_PATHS];
/** Pages and routes of links in emails, the inbox texts, and share links. */
export const LINK_PATHS = [
  ...['/confirm', '/unsubscribe', '/invite'],
  ...routes('/confirm', '/confirm/renew', '/unsubscribe', '/links', ROUTES.inbox, ROUTES.share),
];
const STATUS_PAGE = '/status';
/** Each person's status page, and the health check. */
export const STATUS_PATHS = [STATUS_PAGE, ...routes('/status', '/status/**'), '/healthz'];
/** The product's routes for redeeming invitations. */
export const INVITE_PATHS = routes('/invites/**');
export const MAIL_EVENT_PATHS = routes('/mail-events/**');
/** The route that pages call to sign up. */
export const SIGNUP_PATHS = routes(ROUTES.signups);
/** Other routes of pages with the form: the human check's challenge, the number of people, and sessions. */
export const PAGE_PATHS = routes(ROUTES.welcomeEmail, CHALLENGE_ROUTE, '/count', ROUTES.sessions, '/sessions/*');
/** The server's own pages with the form. */
const JOIN_PATHS = ['/join', '/join/qr.svg'];
const FRAME_PAGE = '/form';
export const FORM_PAGE_PATHS = [...JOIN_PATHS, FRAME_PAGE];
/** The route for forms without scripts. */
const FORM_PATHS = routes(ROUTES.signupForm);

/** All paths by function. */
export const HOSTED_PATHS: Readonly<Record<string, readonly string[]>> = {
  'submit-signup-form': FORM_PATHS,
  'accept-signups': [...SIGNUP_PATHS, ...PAGE_PATHS, ...FORM_PAGE_PATHS],
  admin: ADMIN_PATHS,
  links: [...LINK_PATHS, ...STATUS_PATHS, ...INVITE_PATHS, ...MAIL_EVENT_PATHS],
};

/** The paths that these settings leave to the site. Paths below `/api` always belong to the functions. */
export function pathsOfSite(settings: ReturnType<typeof readPublicRoutes>): readonly string[] {
  const { hostedForms, statusPage, agentDocs } = settings;
  return [
    ...(hostedForms.joinPage ? [] : JOIN_PATHS),
    ...(formFrames(hostedForms, null).isOn ? [] : [FRAME_PAGE]),
    ...(statusPage ? [] : [STATUS_PAGE]),
    ...(agentDocs ? [] : AGENT_PATHS),
  ];
}

/** Returns whether the path is one of these or below one. */
export function isOneOf(path: string, paths: readonly string[]): boolean {
  return paths.some((one) => path.startsWith(one.replace(/\*+$/, '')));
}
