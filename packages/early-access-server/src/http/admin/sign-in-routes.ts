import { normalizeEmail } from 'early-access-kit/core';
import type { SessionResponse, SessionsResponse } from '../../app/admin/admin-api.ts';
import { shownFields } from '../../app/fields.ts';
import { Failure } from '../failure.ts';
import { idBody, sessionList, sessionResponse, settingsChange, signInRequest } from '../schemas/server.ts';
import { linkBody } from '../schemas/visitors.ts';
import type { AdminRouter } from './admin-context.ts';

/** Signing in and out, the admin's settings, and the list of sessions. */
export function signInRoutes({ postSignedOut, get, post, json, done, service, store, context, cookie }: AdminRouter) {
  const { sessions } = service;

  /** The same response after the same work, whether or not the address is an admin's. */
  const signIn = {
    summary: 'Asks for a link to sign in by email.',
    details: 'The same response for any address. The link is sent if the address is the one of an admin.',
    body: signInRequest,
    responses: { 202: null },
  };
  postSignedOut('/sign-in', signIn, async (_, body) => {
    const email = normalizeEmail(body.email);
    await context.limiter.take([{ limit: 'allSignIns', key: 'all' }]);
    await service.requestSignIn(email);
    const { headers } = done();
    return new Response(null, { status: 202, headers });
  });

  const openSession = {
    summary: 'Signs in with the token of a link, which works once. Stores the cookie of the session.',
    body: linkBody,
    responses: { 204: null },
    refusals: { 401: 'The link no longer works.' },
  };
  postSignedOut('/session', openSession, async (c, { token }) => {
    const opened = await sessions.open(token, c.req.header('user-agent'));
    if (opened === null) {
      throw new Failure(401, 'forbidden', 'this sign-in link no longer works; ask for a new one');
    }
    return done({ 'Set-Cookie': cookie.store(opened.token) });
  });

  post('/sign-out', { summary: 'Ends the session.', responses: { 204: null } }, async ({ session }) => {
    await sessions.close(session.id);
    await sessions.record(session, 'sign-out', 1);
    return done({ 'Set-Cookie': cookie.clear() });
  });

  const readSession = { summary: 'Who is signed in, with their settings.', responses: { 200: sessionResponse } };
  get('/session', readSession, async ({ session: { email, id } }) => {
    const response: SessionResponse = {
      email,
      id,
      settings: await store.admin.settings(email),
      fields: shownFields(context.fields),
    };
    return json(response);
  });

  const settings = {
    summary: 'Changes the settings of the admin. What is left out stays as it is.',
    body: settingsChange,
    responses: { 204: null },
  };
  post('/settings', settings, async ({ session, body }) => {
    await store.admin.saveSettings(session.email, { ...(await store.admin.settings(session.email)), ...body });
    await sessions.record(session, 'settings', 1);
    return done();
  });

  get(
    '/sessions',
    { summary: 'The browsers that are signed in.', responses: { 200: sessionList } },
    async ({ session }) => {
      const list = await sessions.list();
      const response: SessionsResponse = {
        sessions: list.map((one) => ({ ...one, current: one.id === session.id })),
      };
      return json(response);
    },
  );

  const revoke = { summary: 'Signs a browser out.', body: idBody, responses: { 204: null } };
  post('/sessions/revoke', revoke, async ({ session, body }) => {
    const closed = await sessions.close(body.id);
    if (closed) await sessions.record(session, 'revoke-session', 1);
    return done();
  });
}
