import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { DEFAULT_BASE } from 'early-access-kit/internal';
import { listUses } from '../../app/access/rate-limits.ts';
import { hashToken, isToken } from '../../app/access/secrets.ts';
import { admit } from '../../app/people/admit.ts';
import type { AdmitResult, InviteState, RedeemResult } from '../../app/ports/list-store.ts';
import type { Store } from '../../app/ports/store.ts';
import { readField } from '../../app/text/read-field.ts';
import { invitePage } from '../pages/invite-page.ts';
import { chooseLanguage } from '../pages/page.ts';
import { checkApiKey, hasBearer } from '../routing/api-key-access.ts';
import { parseJson } from '../routing/body.ts';
import { Failure, jsonResponse } from '../routing/failure.ts';
import { mountRoute } from '../routing/mount-route.ts';
import type { DescribedRoute } from '../routing/openapi/route.ts';
import { parseInput } from '../routing/openapi/schema.ts';
import { type AppContext, identifyClient, type RouteContext, readText } from '../routing/request-context.ts';
import { admitBody, admitResult, inviteState, linkBody, redeemResult } from '../routing/schemas/visitors.ts';
import { LINK_PAGE } from './link-redirects.ts';

const INVITE_ROUTE = { method: 'post', access: 'invite-key', scopes: ['redeem'] } as const;
/** At a launch, many people redeem their invitations at once. */
const INVITE_KEYS = { scopes: INVITE_ROUTE.scopes, limit: 'apiKeyRequests' } as const;

export function mountInvitePage(context: RouteContext, product: URL): void {
  const { html, headers } = invitePage(context.brand, product, context.texts);
  const page = { ...LINK_PAGE, path: '/invite', summary: 'The page that leads invited people to the product.' };
  mountRoute(context, page, (c) => {
    const language = chooseLanguage(null, c.req.header('accept-language'));
    return new Response(html(language, context.homeUrl), { headers });
  });
}

/** Mounts the routes that the host's back end calls with its key when an invited person arrives. */
export function mountInvites(
  context: RouteContext,
  { list, apiKeys }: Pick<Store, 'list' | 'apiKeys'>,
  key: string,
): void {
  /** A wrong key takes a token after the comparison, so that nobody can use up the limit of the host's own calls. */
  async function checkKey(c: AppContext): Promise<void> {
    if (hasBearer(c.req.raw, key)) return;
    const client = identifyClient(c, context);
    // Limits lookups of unknown keys.
    await context.limiter.take(listUses('adminRequests', client));
    if ((await checkApiKey(c, context, apiKeys, INVITE_KEYS)) !== null) return;
    await context.limiter.take(listUses('wrongInviteKeys', client));
    context.noteMistake('invite-key-wrong');
    throw new Failure(
      401,
      'forbidden',
      'Authorization must be "Bearer" and INVITE_KEY, or an API key with the scope redeem',
    );
  }

  function onInvite(
    path: string,
    route: Pick<DescribedRoute, 'summary' | 'details' | 'responses' | 'isReadOnly' | 'body'>,
    resultOf: (body: unknown) => Promise<{ result: InviteState } | RedeemResult | AdmitResult>,
  ): void {
    const described = { body: linkBody, ...route, ...INVITE_ROUTE, path: `${DEFAULT_BASE}/invites/${path}` };
    mountRoute(context, described, async (c) => {
      await checkKey(c);
      return jsonResponse(await resultOf(parseJson(await readText(c, context, 'invites', ['application/json']))));
    });
  }

  const byToken =
    (resultOf: (hash: string) => Promise<{ result: InviteState } | RedeemResult>) => async (body: unknown) => {
      const token = readField(body, 'token');
      return isToken(token) ? resultOf(hashToken(token)) : ({ result: 'unknown' } as const);
    };

  const verify = {
    summary: 'Whether an invitation can be redeemed. Changes nothing.',
    responses: { 200: inviteState },
    isReadOnly: true,
  };
  onInvite(
    'verify',
    verify,
    byToken(async (hash) => ({ result: await list.checkInvite(hash) })),
  );
  const redeem = {
    summary: 'Redeems an invitation, and returns the address that it was sent to.',
    details: 'Exactly one of several calls gets `redeemed`.',
    responses: { 200: redeemResult },
  };
  onInvite(
    'redeem',
    redeem,
    byToken((hash) => list.redeemInvite(hash)),
  );
  const admission = {
    summary: 'Whether a person may sign up in the product: their address is invited, or they have an invitation.',
    details: 'If so, they have joined. A repeated request for the address gets the same response.',
    body: admitBody,
    responses: { 200: admitResult },
  };
  onInvite('admit', admission, async (body) => {
    const { email, token } = parseInput(admitBody, body);
    return admit(list, { email: isValidEmail(email) ? normalizeEmail(email) : null, token });
  });
}
