import { getCookie } from 'hono/cookie';
import { serialize } from 'hono/utils/cookie';
import { SESSION_MAX_MS } from '../../app/admin/sign-in.ts';
import type { AppContext } from '../routing/request-context.ts';

export type AdminCookie = ReturnType<typeof adminCookie>;

/**
 * The cookie with an admin session's token. Scripts cannot read it, and it is not sent with requests from other sites.
 * `name` overrides the default, for hosts that only forward a certain cookie.
 */
export function adminCookie(https: boolean, name = https ? '__Host-early_access' : 'early_access') {
  const options = { httpOnly: true, secure: https, sameSite: 'Strict', path: '/' } as const;
  return {
    name,
    read: (c: AppContext) => getCookie(c, name),
    /** The `Set-Cookie` header for a new session. */
    store: (token: string) => serialize(name, token, { ...options, maxAge: SESSION_MAX_MS / 1_000 }),
    clear: () => serialize(name, '', { ...options, maxAge: 0 }),
  };
}
