import { readFile } from 'node:fs/promises';
import { Auth } from '@auth/core';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { configureAuth, invites } from './auth.ts';

const INVITE_SECONDS = 3_600;
const page = await readFile(new URL('join.html', import.meta.url), 'utf8');
const app = new Hono();

app.all('/auth/*', (c) => Auth(c.req.raw, configureAuth(getCookie(c, 'invite') ?? '')));
app.post('/invite', async (c) => {
  const invite = String(Object(await c.req.json()).invite);
  const { result } = await invites.verify(invite);
  if (result === 'valid') {
    setCookie(c, 'invite', invite, {
      httpOnly: true,
      sameSite: 'Lax',
      secure: c.req.url.startsWith('https:'),
      maxAge: INVITE_SECONDS,
    });
  }
  return c.json({ result });
});
app.get('*', (c) => c.html(page));

serve({ fetch: app.fetch, hostname: 'localhost', port: Number(process.env.PORT ?? 3000) });
