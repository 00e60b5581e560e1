import { randomInt } from 'node:crypto';
import type { InviteWave } from 'early-access-server/admin-api';
import { ADMIN_EMAIL, type Backend } from './backend.ts';
import { receiveToken } from './links.ts';

/** Signs in as an admin and invites the people who have waited longest. */
export async function invite({ server, mailbox }: Backend, count: number): Promise<InviteWave> {
  const headers = new Headers({
    'Content-Type': 'application/json',
    'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
  });
  async function call(path: string, body?: unknown): Promise<Response> {
    const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${server.origin}/api/admin${path}`, { headers, ...request });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }
  const { length } = mailbox.mailsTo(ADMIN_EMAIL);
  await call('/sign-in', { email: ADMIN_EMAIL });
  const opened = await call('/session', { token: await receiveToken(mailbox, ADMIN_EMAIL, 'signIn', length) });
  headers.set('Cookie', opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '');
  const { waves } = await (await call('/list')).json();
  return (await call('/invites', { count, after: waves[0]?.id ?? null })).json();
}
