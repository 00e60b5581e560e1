import { DEFAULT_BASE } from 'early-access-kit/core';
import type { Hono } from 'hono';
import { listUses } from '../../app/access/rate-limits.ts';
import type { VerifyHuman } from '../../app/human/human-check.ts';
import { failureResponse, toFailure } from '../server/failure.ts';
import { CHALLENGE_ROUTE } from '../server/own-paths.ts';
import type { AppEnv, RouteContext } from '../server/request-context.ts';
import { challenge } from '../server/schemas/visitors.ts';
import { corsHeaders } from './visitor-routes.ts';

/** Mounts the route where a page gets the challenge of its human check, if the check has challenges. */
export function mountChallenge(app: Hono<AppEnv>, context: RouteContext, verifyHuman: VerifyHuman): void {
  if (verifyHuman.challenge === undefined) return;
  const path = DEFAULT_BASE + CHALLENGE_ROUTE;
  context.describe({
    method: 'get',
    path,
    access: 'public',
    summary: 'A challenge of the human check. What solves it is the `human_token` of a signup.',
    responses: { 200: challenge },
    failures: [403, 429, 500, 503],
  });
  app.get(path, async (c) => {
    const headers = corsHeaders(c, context);
    try {
      context.checkOrigin(c);
      await context.limiter.take(listUses('humanChallenges', context.identifyClient(c)));
      return new Response(JSON.stringify(await verifyHuman.challenge?.()), { status: 200, headers });
    } catch (error) {
      const failure = toFailure(error);
      context.report(failure, c);
      return failureResponse(failure, headers);
    }
  });
}
