import { getCookie } from 'hono/cookie';
import { serialize } from 'hono/utils/cookie';
import { SESSION_MAX_MS } from '../../app/admin/sign-in.ts';
import type { AppContext } from '../routing/request-context.ts';

export type AdminCookie = ReturnType<typeof adminCookie>;

/**
 * The cookie with the token of an admin's session. Scripts cannot read it, and no other site's request carries it.
 * `name` replaces the default one, for hosts that pass on a certain cookie only.
 */
export function adminCookie(https: boolean, name = https ? '__Host-early_access' : 'early_access') {
  const options = { httpOnly: true, secure: https, sameSite: 'Strict', path: '/' } as const;
  return {
    name,
    read: (c: AppContext) => getCookie(c, name),
    /** `Set-Cookie` for a new session. */
    store: (token: string) => serialize(name, token, { ...options, maxAge: SESSION_MAX_MS / 1_000 }),
    clear: () => serialize(name, '', { ...options, maxAge: 0 }),
  };
}
