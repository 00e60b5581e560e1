import { DEFAULT_BASE } from 'early-access-kit/internal';
import { listUses } from '../../app/access/rate-limits.ts';
import type { VerifyHuman } from '../../app/human/human-check.ts';
import { mountRoute } from '../routing/mount-route.ts';
import { CHALLENGE_ROUTE } from '../routing/own-paths.ts';
import { checkOrigin, identifyClient, type RouteContext } from '../routing/request-context.ts';
import { challenge } from '../routing/schemas/visitors.ts';
import { failWithCors, respondWithCors } from './visitor-routes.ts';

const ROUTE = {
  method: 'get',
  path: DEFAULT_BASE + CHALLENGE_ROUTE,
  access: 'public',
  summary: 'A challenge of the human check. Its solution is the `human_token` of a signup.',
  responses: { 200: challenge },
  failures: [403, 429, 500, 503],
} as const;

/** Mounts the route for challenges of the human check, if the check uses them. */
export function mountChallenge(context: RouteContext, verifyHuman: VerifyHuman): void {
  if (verifyHuman.challenge === undefined) return;
  mountRoute(
    context,
    ROUTE,
    async (c) => {
      checkOrigin(c, context);
      await context.limiter.take(listUses('humanChallenges', identifyClient(c, context)));
      return respondWithCors(c, context, 200, JSON.stringify(await verifyHuman.challenge?.()));
    },
    failWithCors(context),
  );
}
