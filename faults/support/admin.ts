import type { Server } from '@early-access-kit/testkit/built-server';
import type { MailServer } from '@early-access-kit/testkit/smtp-server';
import { newClient } from './crowd.ts';
import type { Deployment } from './deployment.ts';

/** A signed-in admin. Paths are relative to `/api/admin`. */
export interface Admin {
  get(path: string): Promise<Response>;
  /** Posts JSON, or a file of the given type. */
  post(path: string, body: object | string | Blob, type?: string): Promise<Response>;
}

/** Signs an admin in by the emailed link. Each request comes from a new client, to avoid rate limits. */
export async function signIn(
  { mailbox }: Pick<Deployment, 'mailbox'>,
  { origin }: Pick<Server, 'origin'>,
  email = 'admin@example.com',
): Promise<Admin> {
  let cookie = '';
  const call = (path: string, init: RequestInit = {}) => {
    const headers = { 'X-Forwarded-For': newClient(), Cookie: cookie, ...init.headers };
    return fetch(`${origin}/api/admin${path}`, { ...init, headers });
  };
  const admin: Admin = {
    get: (path) => call(path),
    post: (path, body, type = 'application/json') =>
      call(path, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body: typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body),
      }),
  };
  const { length } = mailbox.mailsTo(email);
  await admin.post('/sign-in', { email });
  const session = await admin.post('/session', { token: await receiveToken(mailbox, email, length) });
  if (!session.ok) throw new Error(`the admin was not signed in: ${session.status}`);
  cookie = session.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  return admin;
}

/** Waits for the email number `index` to an address, and returns the token in its sign-in link. */
async function receiveToken(mailbox: MailServer, address: string, index: number): Promise<string> {
  const { text = '' } = await mailbox.waitForMail(address, index);
  const [, token] = /\/admin#token=([\w-]{43})/.exec(text) ?? [];
  if (token === undefined) throw new Error(`there is no link in the email to ${address}`);
  return token;
}
