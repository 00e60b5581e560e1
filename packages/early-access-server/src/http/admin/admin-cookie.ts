import { getCookie } from 'hono/cookie';
import { serialize } from 'hono/utils/cookie';
import { SESSION_MAX_MS } from '../../app/admin/sign-in.ts';
import type { AppContext } from '../server/request-context.ts';

/** The cookie with the token of an admin's session. Scripts cannot read it, and no other site's request carries it. */
export interface AdminCookie {
  readonly name: string;
  read(c: AppContext): string | undefined;
  /** `Set-Cookie` for a new session. */
  store(token: string): string;
  clear(): string;
}

/** `name` replaces the default one, for hosts that pass on a certain cookie only. */
export function adminCookie(https: boolean, name = https ? '__Host-early_access' : 'early_access'): AdminCookie {
  const options = { httpOnly: true, secure: https, sameSite: 'Strict', path: '/' } as const;
  return {
    name,
    read: (c) => getCookie(c, name),
    store: (token) => serialize(name, token, { ...options, maxAge: SESSION_MAX_MS / 1_000 }),
    clear: () => serialize(name, '', { ...options, maxAge: 0 }),
  };
}
