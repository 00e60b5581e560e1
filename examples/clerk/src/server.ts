import { readFile } from 'node:fs/promises';
import { createClerkClient } from '@clerk/backend';
import { serve } from '@hono/node-server';
import { inviteClient } from 'early-access-server/client';
import { Hono } from 'hono';

const { EARLY_ACCESS_URL = 'http://localhost:4173', INVITE_KEY = '', PORT = '3000', SIGN_UP_URL = '' } = process.env;
const { CLERK_SECRET_KEY = '', CLERK_API_URL = 'https://api.clerk.com' } = process.env;

const invites = inviteClient({ url: EARLY_ACCESS_URL, key: INVITE_KEY });
const clerk = createClerkClient({ secretKey: CLERK_SECRET_KEY, apiUrl: CLERK_API_URL });
const page = await readFile(new URL('join.html', import.meta.url), 'utf8');
const app = new Hono();

/** Exchanges an invitation of the list for one of Clerk's, and returns its URL. */
app.post('/invite', async (c) => {
  const invite = await invites.redeem(String(Object(await c.req.json()).invite));
  if (invite.result !== 'redeemed') return c.json({ result: invite.result });
  try {
    const { url } = await clerk.invitations.createInvitation({
      emailAddress: invite.email,
      redirectUrl: SIGN_UP_URL,
      notify: false,
      ignoreExisting: true,
    });
    return c.json({ result: invite.result, url });
  } catch (error) {
    // The list's invitation is used up, so an admin has to invite the person in Clerk. The log has their id, not their address.
    console.error(
      `Clerk created no invitation for person ${invite.id}:`,
      error instanceof Error ? error.name : 'unknown',
    );
    return c.json({ result: 'failed' });
  }
});
app.get('*', (c) => c.html(page));

serve({ fetch: app.fetch, hostname: 'localhost', port: Number(PORT) });
