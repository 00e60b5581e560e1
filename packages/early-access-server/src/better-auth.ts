import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import * as z from 'zod';
import type { InviteClient } from './client.ts';
import { REFUSALS } from './gates.ts';

/** The options of the `earlyAccess` plugin. */
export interface EarlyAccessPluginOptions {
  /** Created with the URL of the early access server and its key. */
  readonly client: InviteClient;
}

/** Enough time to open a magic link, or to return from another provider's sign-in. */
const COOKIE_SECONDS = 3_600;

/**
 * A better-auth plugin that only lets people with an invitation create an account, in every registration flow:
 * password, magic link, other providers, and requests by admins.
 *
 * `POST /early-access/invite` with `{ invite }`, the token from the invitation link, returns `{ result: 'valid' }` and
 * stores the token in a cookie. If it cannot be used, it returns the reason and a `message`. The invitation is redeemed
 * right before the account is stored. A registration may also contain the token as `invite` in its body. If the account
 * has the invited address, the address counts as verified.
 *
 * Rejections are API errors with the codes `INVITE_REQUIRED`, `INVITE_USED`, `INVITE_EXPIRED` and `INVITE_UNCHECKED`.
 *
 * @example
 * betterAuth({ plugins: [earlyAccess({ client: inviteClient({ url, key }) })] });
 */
export function earlyAccess({ client }: EarlyAccessPluginOptions) {
  return {
    id: 'early-access',
    endpoints: {
      acceptInvite: createAuthEndpoint(
        '/early-access/invite',
        { method: 'POST', body: z.object({ invite: z.string().max(200) }) },
        async (ctx) => {
          const { result } = await client.verify(ctx.body.invite);
          if (result !== 'valid') return ctx.json({ result, message: REFUSALS[result].message });
          const { name, attributes } = inviteCookie(ctx.context);
          await ctx.setSignedCookie(name, ctx.body.invite, ctx.context.secret, attributes);
          return ctx.json({ result });
        },
      ),
    },
    init: (context) => ({
      options: {
        databaseHooks: {
          user: {
            create: {
              async before(user, ctx) {
                const { name, attributes } = inviteCookie(context);
                const given: unknown = Object(ctx?.body).invite;
                const remembered = ctx?.getSignedCookie && (await ctx.getSignedCookie(name, context.secret));
                const invite = await client.redeem(typeof given === 'string' ? given : remembered || '');
                if (invite.result !== 'redeemed') throw refuse(invite.result);
                ctx?.setCookie?.(name, '', { ...attributes, maxAge: 0 });
                // The link was sent to this address, so it is verified. People may sign up with another address.
                const emailVerified = user.emailVerified || user.email === invite.email;
                return { data: { ...user, emailVerified } };
              },
            },
          },
        },
      },
    }),
  } satisfies BetterAuthPlugin;
}

function inviteCookie(context: Parameters<NonNullable<BetterAuthPlugin['init']>>[0]) {
  return context.createAuthCookie('early_access_invite', { maxAge: COOKIE_SECONDS });
}

function refuse(refusal: keyof typeof REFUSALS): APIError {
  return new APIError(refusal === 'failed' ? 'SERVICE_UNAVAILABLE' : 'FORBIDDEN', REFUSALS[refusal]);
}
