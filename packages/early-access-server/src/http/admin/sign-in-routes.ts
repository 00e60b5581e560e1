import { normalizeEmail } from 'early-access-kit/core';
import { serialize } from 'hono/utils/cookie';
import { ASKED_COOKIE, SIGN_IN_MINUTES } from '../../app/admin/sign-in.ts';
import { shownFields } from '../../app/signup/fields.ts';
import { Failure } from '../server/failure.ts';
import { idBody, sessionList, sessionResponse, settingsChange, signInRequest } from '../server/schemas/server.ts';
import { linkBody } from '../server/schemas/visitors.ts';
import { ADMIN_HEADERS, type AdminRouter, route } from './admin-route.ts';

/** Signing in and out, the admin's settings, and the list of sessions. */
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
    summary: 'Asks for a link to sign in by email.',
    details:
      'The same response for any address. The link is sent if the address is the one of an admin. Sets a cookie, so that the link needs no click in this browser.',
    body: signInRequest,
    responses: { 202: null },
    /** The same response after the same work, whether or not the address is an admin's. */
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
      const opened = await service.sessions.open(token, c.req.header('user-agent'));
      if (opened === null) {
        throw new Failure(401, 'forbidden', 'this sign-in link no longer works; ask for a new one');
      }
      return new Response(null, {
        status: 204,
        headers: { ...ADMIN_HEADERS, 'Set-Cookie': cookie.store(opened.token) },
      });
    },
  });
  route(router, {
    method: 'post',
    path: '/sign-out',
    summary: 'Ends the session.',
    async respond({ caller }) {
      await service.sessions.close(caller.id);
      await service.sessions.record(caller, 'sign-out', 1);
      return new Response(null, { status: 204, headers: { ...ADMIN_HEADERS, 'Set-Cookie': cookie.clear() } });
    },
  });
}

function ownSessionRoutes(router: AdminRouter): void {
  const { service, store, context } = router;
  route(router, {
    method: 'get',
    path: '/session',
    summary: 'Who is signed in, with their settings.',
    response: sessionResponse,
    respond: async ({ caller: { email, id } }) => ({
      email,
      id,
      settings: await store.admin.settings(email),
      fields: shownFields(context.fields),
    }),
  });
  route(router, {
    method: 'post',
    path: '/settings',
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
    summary: 'The browsers that are signed in.',
    response: sessionList,
    async respond({ caller }) {
      const list = await sessions.list();
      return { sessions: list.map((one) => ({ ...one, current: one.id === caller.id })) };
    },
  });
  route(router, {
    method: 'post',
    path: '/sessions/revoke',
    summary: 'Signs a browser out.',
    body: idBody,
    async respond({ caller, body }) {
      const closed = await sessions.close(body.id);
      if (closed) await sessions.record(caller, 'revoke-session', 1);
    },
  });
}
