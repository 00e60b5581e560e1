import type { AuthConfig } from '@auth/core';
import type { Adapter } from '@auth/core/adapters';
import { UnstorageAdapter } from '@auth/unstorage-adapter';
import { type InviteClient, inviteClient } from 'early-access-server/client';
import { createStorage } from 'unstorage';

const { EARLY_ACCESS_URL = 'http://localhost:4173', INVITE_KEY = '', AUTH_SECRET = '' } = process.env;

export const invites = inviteClient({ url: EARLY_ACCESS_URL, key: INVITE_KEY });
const accounts = UnstorageAdapter(createStorage());

/** Requires an invitation for a new account, and uses it up. Existing accounts sign in without one. */
function inviteOnly(adapter: Adapter, client: InviteClient, token: string): Adapter {
  const { createUser } = adapter;
  if (!createUser) throw new Error('the adapter must be able to create users');
  return {
    ...adapter,
    async createUser(user) {
      const { result } = await client.redeem(token);
      if (result !== 'redeemed') throw new Error(`invitation: ${result}`);
      return createUser(user);
    },
  };
}

/** Returns the configuration for one request. `token` is the invitation's, from a cookie. */
export function configureAuth(token: string): AuthConfig {
  return {
    adapter: inviteOnly(accounts, invites, token),
    secret: AUTH_SECRET,
    trustHost: true,
    basePath: '/auth',
    // Auth.js treats a rejected account as an error in the configuration.
    pages: { error: '/' },
    providers: [
      {
        id: 'email',
        type: 'email',
        name: 'Email',
        from: 'Product <hello@example.com>',
        maxAge: 3_600,
        options: {},
        sendVerificationRequest: async ({ url }) => console.log(`Sign in: ${url}`),
      },
    ],
  };
}
