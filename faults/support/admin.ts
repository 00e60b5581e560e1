import type { Server } from '@early-access-kit/testkit/built-server';
import type { Deployment } from './deployment.ts';
import { tokenIn } from './links.ts';

/** A signed-in admin. Paths are those below `/api/admin`. */
export interface Admin {
  get(path: string): Promise<Response>;
  /** Posts JSON, or text of the given type. */
  post(path: string, body: object | string, type?: string): Promise<Response>;
}

let lastAdmin = 0;

/** Signs an admin in with the link in the email, from a client address of their own. */
export async function signIn(
  { mailbox }: Pick<Deployment, 'mailbox'>,
  { origin }: Pick<Server, 'origin'>,
  email = 'admin@example.com',
): Promise<Admin> {
  lastAdmin += 1;
  const client = { 'X-Forwarded-For': `192.0.2.${lastAdmin}`, Cookie: '' };
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}/api/admin${path}`, { ...init, headers: { ...client, ...init.headers } });
  const admin: Admin = {
    get: (path) => call(path),
    post: (path, body, type = 'application/json') =>
      call(path, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
  const { length } = mailbox.mailsTo(email);
  await admin.post('/sign-in', { email });
  const session = await admin.post('/session', { token: await tokenIn(mailbox, email, '/admin#token=', length) });
  if (!session.ok) throw new Error(`the admin was not signed in: ${session.status}`);
  client.Cookie = session.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  return admin;
}
