import { DatabaseSync } from 'node:sqlite';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { earlyAccess } from 'early-access-server/better-auth';
import { inviteClient } from 'early-access-server/client';

const { EARLY_ACCESS_URL = 'http://localhost:4173', INVITE_KEY = '', DATABASE = 'product.sqlite' } = process.env;

/** No one can create an account without an invitation, whatever the sign-up method. */
export const auth = betterAuth({
  database: new DatabaseSync(DATABASE),
  emailAndPassword: { enabled: true },
  plugins: [earlyAccess({ client: inviteClient({ url: EARLY_ACCESS_URL, key: INVITE_KEY }) })],
});

export async function createTables(): Promise<void> {
  const { runMigrations } = await getMigrations(auth.options);
  await runMigrations();
}
