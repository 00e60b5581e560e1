import type { Page, Request, Route } from '@playwright/test';

/** What a page asks of whatever stores for it. */
type Call = 'sign-up' | 'session' | 'welcome email' | 'summary';

const SERVER: Readonly<Record<string, Call>> = {
  signups: 'sign-up',
  sessions: 'session',
  'welcome-email': 'welcome email',
  summary: 'summary',
};
const FUNCTIONS: Readonly<Record<string, Call>> = {
  'send-welcome-email': 'welcome email',
  'read-analytics': 'summary',
};

/** The server's API, or Firestore's and the functions'; undefined for everything else, preflights included. */
export function callOf(request: Request): Call | undefined {
  if (request.method() !== 'POST') return undefined;
  const { pathname } = new URL(request.url());
  if (isFirestore(pathname)) return request.postData()?.includes('/email_signups/') ? 'sign-up' : 'session';
  const [, first = '', second = '', third = ''] = pathname.split('/');
  return first === 'api' ? SERVER[second] : FUNCTIONS[third];
}

/** Whether a URL is one of the two calls of Firestore's API that the adapter makes. */
export function isFirestore(url: string): boolean {
  return /:(commit|batchGet)(\?|$)/.test(url);
}

/** As `page.route`, for the calls of one kind. */
export function routeCalls(page: Page, call: Call, handler: (route: Route) => unknown): Promise<unknown> {
  return page.route(
    (url) => url.pathname.startsWith('/api/') || isFirestore(url.pathname) || url.pathname.split('/').length === 4,
    async (route) => {
      if (callOf(route.request()) === call) await handler(route);
      else await route.fallback();
    },
  );
}

/** The calls of a page from now on. */
export function callsOf(page: Page): readonly Call[] {
  const calls: Call[] = [];
  page.on('request', (request) => {
    const call = callOf(request);
    if (call !== undefined) calls.push(call);
  });
  return calls;
}
