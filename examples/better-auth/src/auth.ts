import { DatabaseSync } from 'node:sqlite';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { getMigrations } from 'better-auth/db/migration';
import { inviteClient } from 'early-access-server/client';

const { EARLY_ACCESS_URL = 'http://localhost:4173', INVITE_KEY = '', DATABASE = 'product.sqlite' } = process.env;

export const invites = inviteClient({ url: EARLY_ACCESS_URL, key: INVITE_KEY });

/** No one gets an account without an invitation, however they sign up. */
export const auth = betterAuth({
  database: new DatabaseSync(DATABASE),
  emailAndPassword: { enabled: true },
  databaseHooks: {
    user: {
      create: {
        // Runs once everything else about the new account was checked, so that no mistake in the form uses up an invitation.
        async before(user, context) {
          const invite = await invites.redeem(String(context?.body?.invite));
          if (invite.result !== 'redeemed') throw new APIError('FORBIDDEN', { message: explain(invite.result) });
          // The link was sent to this address, so it needs no other proof. They may sign up with another one.
          return { data: { ...user, emailVerified: user.email === invite.email } };
        },
      },
    },
  },
});

export async function createTables(): Promise<void> {
  const { runMigrations } = await getMigrations(auth.options);
  await runMigrations();
}

type Refusal = Exclude<Awaited<ReturnType<typeof invites.verify>>['result'], 'valid'>;

export function explain(refusal: Refusal): string {
  switch (refusal) {
    case 'used':
      return 'This invitation was used already. Sign in instead.';
    case 'expired':
      return 'This invitation has expired.';
    case 'failed':
      return 'Your invitation could not be checked. Please try again in a minute.';
    case 'gone':
    case 'unknown':
      return 'You need an invitation to sign up.';
  }
}
