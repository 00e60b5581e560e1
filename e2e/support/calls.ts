import type { Page, Request, Route } from '@playwright/test';

/** A page's calls to its backend. */
type Call = 'signup' | 'session' | 'welcome email' | 'summary';

const SERVER: Readonly<Record<string, Call>> = {
  signups: 'signup',
  sessions: 'session',
  'welcome-email': 'welcome email',
  summary: 'summary',
};
const FUNCTIONS: Readonly<Record<string, Call>> = {
  'read-analytics': 'summary',
};

/**
 * Classifies calls to the server's API, to Firestore and to the functions. Returns undefined for all other requests and
 * for preflights.
 */
export function parseCall(request: Request): Call | undefined {
  if (request.method() !== 'POST') return undefined;
  const { pathname } = new URL(request.url());
  if (isFirestore(pathname)) return request.postData()?.includes('/email_signups/') ? 'signup' : 'session';
  const [, first = '', second = ''] = pathname.split('/');
  return first === 'api' ? SERVER[second] : FUNCTIONS[first];
}

/** Returns whether a URL is one of the two Firestore calls of the adapter. */
export function isFirestore(url: string): boolean {
  return /:(commit|batchGet)(\?|$)/.test(url);
}

/** Like `page.route`, for calls of one kind. */
export function routeCalls(page: Page, call: Call, handler: (route: Route) => unknown): Promise<unknown> {
  return page.route(
    (url) => url.pathname.startsWith('/api/') || isFirestore(url.pathname) || url.pathname.slice(1) in FUNCTIONS,
    async (route) => {
      if (parseCall(route.request()) === call) await handler(route);
      else await route.fallback();
    },
  );
}
