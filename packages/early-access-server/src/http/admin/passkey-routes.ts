import type { Passkey } from '../../app/ports/passkey-store.ts';
import { Failure } from '../routing/failure.ts';
import type { AppContext } from '../routing/request-context.ts';
import {
  newPasskey,
  passkeyAssertion,
  passkeyList,
  passkeyName,
  passkeyOptions,
  storedPasskey,
} from '../routing/schemas/passkeys.ts';
import { ADMIN_HEADERS, type AdminRouter, route } from './admin-route.ts';

const GONE = { 404: 'This passkey no longer exists.' };

/** Routes for signing in with passkeys instead of a mailed link. */
export function passkeyRoutes(router: AdminRouter): void {
  signInRoutes(router);
  ownPasskeyRoutes(router);
}

function signInRoutes(router: AdminRouter): void {
  const { service, context, cookie } = router;
  route(router, {
    method: 'post',
    path: '/passkey-sign-in/options',
    scope: 'public',
    summary: 'What a browser needs to sign in with a passkey.',
    details: 'The same for everyone. The challenge in it works once, for five minutes.',
    response: passkeyOptions,
    async respond({ c }) {
      await context.limiter.take([{ limit: 'allSignIns', key: 'all' }]);
      return { options: { ...(await service.passkeys.askToSignIn(readOrigin(c))) } };
    },
  });
  route(router, {
    method: 'post',
    path: '/passkey-sign-in',
    scope: 'public',
    summary: 'Signs in with a passkey. Stores the cookie of the session.',
    body: passkeyAssertion,
    refusals: { 401: 'The passkey does not work here.' },
    async respond({ c, body: { response } }) {
      const { passkey, counter } = await service.passkeys.verify(response, readOrigin(c));
      const agent = c.req.header('user-agent');
      const token = await service.sessions.openByPasskey(passkey.credential_id, counter, agent);
      if (token === null) throw new Failure(401, 'forbidden', 'this passkey does not work here; sign in with a link');
      return new Response(null, { status: 204, headers: { ...ADMIN_HEADERS, 'Set-Cookie': cookie.store(token) } });
    },
  });
}

function ownPasskeyRoutes(router: AdminRouter): void {
  const { sessions, passkeys } = router.service;
  route(router, {
    method: 'get',
    path: '/passkeys',
    needs: 'account',
    summary: 'The passkeys of the signed-in person.',
    response: passkeyList,
    respond: async ({ c, caller }) => ({
      passkeys: (await passkeys.list(caller.email)).map(toShown),
      // Browsers send no `Origin` with a same-origin GET.
      is_available: passkeys.isAvailable(new URL(c.req.url).origin),
    }),
  });
  route(router, {
    method: 'post',
    path: '/passkeys/options',
    needs: 'account',
    summary: 'What a browser needs to create a passkey, in the first hour of a session.',
    response: passkeyOptions,
    respond: async ({ c, caller }) => ({ options: { ...(await passkeys.askToAdd(caller, readOrigin(c))) } }),
  });
  route(router, {
    method: 'post',
    path: '/passkeys',
    needs: 'account',
    summary: 'Stores a passkey that the browser has created.',
    body: newPasskey,
    response: storedPasskey,
    async respond({ c, caller, body }) {
      const added = await passkeys.add(caller, body, readOrigin(c));
      await sessions.record(caller, 'add-passkey', 1);
      return toShown(added);
    },
  });
  route(router, {
    method: 'post',
    path: '/passkeys/:id',
    needs: 'account',
    summary: 'Renames a passkey.',
    body: passkeyName,
    refusals: GONE,
    async respond({ id, caller, body: { name } }) {
      if (!(await passkeys.rename(caller.email, id, name))) throw gone();
      await sessions.record(caller, 'rename-passkey', 1);
    },
  });
  route(router, {
    method: 'post',
    path: '/passkeys/:id/remove',
    needs: 'account',
    summary: 'Removes a passkey, which no longer signs in. Sessions stay.',
    refusals: GONE,
    async respond({ id, caller }) {
      if (!(await passkeys.remove(caller.email, id))) throw gone();
      await sessions.record(caller, 'remove-passkey', 1);
    },
  });
}

function readOrigin(c: AppContext): string | undefined {
  return c.req.header('origin');
}

function toShown({ id, name, created_at, last_used_at }: Passkey) {
  return { id, name, created_at, last_used_at };
}

function gone(): Failure {
  return new Failure(404, 'invalid', 'this passkey no longer exists');
}
