import { DEFAULT_BASE } from 'early-access-kit/internal';
import { COUNT_MAX_AGE_MS } from '../../app/people/signup-count.ts';
import { mountRoute } from '../routing/mount-route.ts';
import { COUNT_ROUTE } from '../routing/own-paths.ts';
import type { RouteContext } from '../routing/request-context.ts';
import { signupCountResponse } from '../routing/schemas/visitors.ts';
import { PLAIN_HEADERS } from '../routing/security-headers.ts';

const ROUTE = {
  method: 'get',
  path: DEFAULT_BASE + COUNT_ROUTE,
  access: 'public',
  summary: 'How many people have joined, rounded down. Null if they are too few to be shown.',
  responses: { 200: signupCountResponse },
  failures: [500, 503],
} as const;

/** The response is the same for everyone, so any page may read it and any cache may store it. */
const HEADERS = {
  ...PLAIN_HEADERS,
  'Cache-Control': `public, max-age=${COUNT_MAX_AGE_MS / 1_000}`,
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

export function mountSignupCount(context: RouteContext, readCount: () => Promise<number | null>): void {
  mountRoute(context, ROUTE, async () => Response.json({ count: await readCount() }, { headers: HEADERS }));
}
