import { MAX_RAW_EMAIL_LENGTH, normalizeEmail } from 'early-access-kit/core';
import type { SessionResponse, SessionsResponse } from '../../app/admin/admin-api.ts';
import { fieldOf } from '../../app/field-of.ts';
import { Failure } from '../failure.ts';
import type { AdminRouter } from './admin-context.ts';
import { readSettings, textField } from './admin-input.ts';

/** Signing in and out, the admin's settings, and the list of sessions. */
export function signInRoutes({ postSignedOut, get, post, json, done, service, store, context, cookie }: AdminRouter) {
  const { sessions } = service;

  /** The same response after the same work, whether or not the address is an admin's. */
  postSignedOut('/sign-in', async (_, body) => {
    const email = normalizeEmail(textField(body, 'email', MAX_RAW_EMAIL_LENGTH));
    await context.limiter.take([{ limit: 'allSignIns', key: 'all' }]);
    await service.requestSignIn(email);
    const { headers } = done();
    return new Response(null, { status: 202, headers });
  });

  postSignedOut('/session', async (c, body) => {
    const opened = await sessions.open(fieldOf(body, 'token'), c.req.header('user-agent'));
    if (opened === null) {
      throw new Failure(401, 'forbidden', 'this sign-in link does not work any more; ask for a new one');
    }
    return done({ 'Set-Cookie': cookie.store(opened.token) });
  });

  post('/sign-out', async (_, session) => {
    await sessions.close(session.id);
    await sessions.record(session, 'sign-out', 1);
    return done({ 'Set-Cookie': cookie.clear() });
  });

  get('/session', async (_, { email, id }) => {
    const response: SessionResponse = { email, id, settings: await store.admin.settings(email) };
    return json(response);
  });

  post('/settings', async (_, session, body) => {
    await store.admin.saveSettings(session.email, readSettings(body, await store.admin.settings(session.email)));
    await sessions.record(session, 'settings', 1);
    return done();
  });

  get('/sessions', async (_, { id }) => {
    const list = await sessions.list();
    const response: SessionsResponse = {
      sessions: list.map((session) => ({ ...session, current: session.id === id })),
    };
    return json(response);
  });

  post('/sessions/revoke', async (_, session, body) => {
    const closed = await sessions.close(textField(body, 'id', 100));
    if (closed) await sessions.record(session, 'revoke-session', 1);
    return done();
  });
}
