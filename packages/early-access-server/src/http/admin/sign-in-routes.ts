import { normalizeEmail } from 'early-access-kit/core';
import { serialize } from 'hono/utils/cookie';
import { ASKED_COOKIE, SIGN_IN_MINUTES } from '../../app/admin/sign-in.ts';
import { shownFields } from '../../app/signup/fields.ts';
import { Failure } from '../routing/failure.ts';
import { idBody, sessionList, sessionResponse, settingsChange, signInRequest } from '../routing/schemas/server.ts';
import { linkBody } from '../routing/schemas/visitors.ts';
import { ADMIN_HEADERS, type AdminRouter, route } from './admin-route.ts';

export function signInRoutes(router: AdminRouter): void {
  linkRoutes(router);
  ownSessionRoutes(router);
  sessionRoutes(router);
}

function linkRoutes(router: AdminRouter): void {
  const { service, context, cookie } = router;
  const asked = { path: '/admin', maxAge: 60 * SIGN_IN_MINUTES, secure: context.https, sameSite: 'Strict' } as const;
  route(router, {
    method: 'post',
    path: '/sign-in',
    scope: 'public',
    summary: 'Requests a sign-in link by email.',
    details:
      'The same response for any address. The link is sent if the address belongs to an admin. Sets a cookie, so that the link needs no click in this browser.',
    body: signInRequest,
    responses: { 202: null },
    /** The response and its timing are the same whether or not the address is an admin's. */
    async respond({ body }) {
      const email = normalizeEmail(body.email);
      await context.limiter.take([{ limit: 'allSignIns', key: 'all' }]);
      await service.requestSignIn(email);
      return new Response(null, {
        status: 202,
        headers: { ...ADMIN_HEADERS, 'Set-Cookie': serialize(ASKED_COOKIE, '1', asked) },
      });
    },
  });
  route(router, {
    method: 'post',
    path: '/session',
    scope: 'public',
    summary: 'Signs in with the token of a link, which works once. Stores the cookie of the session.',
    body: linkBody,
    refusals: { 401: 'The link no longer works.' },
    async respond({ c, body: { token } }) {
      const opened = await service.sessions.openByLink(token, c.req.header('user-agent'));
      if (opened === null) {
        throw new Failure(401, 'forbidden', 'this sign-in link no longer works; ask for a new one');
      }
      return new Response(null, {
        status: 204,
        headers: { ...ADMIN_HEADERS, 'Set-Cookie': cookie.store(opened) },
      });
    },
  });
  route(router, {
    method: 'post',
    path: '/sign-out',
    needs: 'account',
    summary: 'Ends the session.',
    async respond({ caller }) {
      await service.sessions.close(caller.id);
      await service.sessions.record(caller, 'sign-out', 1);
      return new Response(null, { status: 204, headers: { ...ADMIN_HEADERS, 'Set-Cookie': cookie.clear() } });
    },
  });
  route(router, {
    method: 'post',
    path: '/sign-out-everywhere',
    needs: 'account',
    summary: 'Ends the sessions of the admin in all browsers, and their unused sign-in links.',
    async respond({ caller }) {
      const closed = await service.sessions.closeAll(caller);
      await service.sessions.record(caller, 'sign-out-everywhere', closed);
      return new Response(null, { status: 204, headers: { ...ADMIN_HEADERS, 'Set-Cookie': cookie.clear() } });
    },
  });
}

function ownSessionRoutes(router: AdminRouter): void {
  const { service, store, context } = router;
  route(router, {
    method: 'get',
    path: '/session',
    needs: 'account',
    summary: 'Who is signed in, with their settings.',
    response: sessionResponse,
    respond: async ({ caller: { email, id, role, isOwner } }) => ({
      email,
      id,
      role,
      is_owner: isOwner,
      settings: await store.admin.settings(email),
      fields: shownFields(context.fields),
    }),
  });
  route(router, {
    method: 'post',
    path: '/settings',
    needs: 'account',
    summary: 'Changes the settings of the admin. Fields that are left out are not changed.',
    body: settingsChange,
    async respond({ caller, body }) {
      await store.admin.saveSettings(caller.email, { ...(await store.admin.settings(caller.email)), ...body });
      await service.sessions.record(caller, 'settings', 1);
    },
  });
}

function sessionRoutes(router: AdminRouter): void {
  const { sessions } = router.service;
  route(router, {
    method: 'get',
    path: '/sessions',
    needs: 'account',
    summary: 'The browsers that are signed in.',
    response: sessionList,
    details: 'Admins see those of the whole team, others their own.',
    async respond({ caller }) {
      const list = await sessions.list(caller);
      return {
        sessions: list.map((one) => ({
          ...one,
          current: one.id === caller.id,
          can_end: sessions.mayEnd(caller, one),
        })),
      };
    },
  });
  route(router, {
    method: 'post',
    path: '/sessions/revoke',
    needs: 'account',
    summary: 'Signs a browser out.',
    details: 'Admins may sign out browsers of others, but only owners those of an owner.',
    body: idBody,
    async respond({ caller, body }) {
      const session = (await sessions.list(caller)).find(({ id }) => id === body.id);
      if (session === undefined) return;
      if (!sessions.mayEnd(caller, session)) {
        throw new Failure(403, 'forbidden', 'only an owner may sign out an owner’s browser');
      }
      if (await sessions.close(session.id)) await sessions.record(caller, 'revoke-session', 1);
    },
  });
}
