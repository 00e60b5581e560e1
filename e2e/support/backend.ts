import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Server, startServer } from '@early-access-kit/testkit/built-server';
import { startPostgres } from '@early-access-kit/testkit/postgres-server';
import { SITE_BRAND } from '@early-access-kit/testkit/site-settings';
import { type MailServer, startMailServer } from '@early-access-kit/testkit/smtp-server';
import { tempRoot } from '@early-access-kit/testkit/temp-root';
import { type CreateAccount, supabaseAccounts } from './accounts.ts';
import { type Database, openDatabase } from './database.ts';
import { openPostgres } from './postgres-database.ts';

/** Waits for a fixture's resource to start, passes it to the tests and closes it after them. */
export async function whileOpen<T extends { close(): Promise<unknown> }>(
  started: Promise<T>,
  use: (value: T) => Promise<void>,
): Promise<void> {
  const value = await started;
  await use(value);
  await value.close();
}

/** Where data is stored: `firestore`, `postgres`, or SQLite. */
export const { STORAGE = 'sqlite' } = process.env;

export const ADMIN_EMAIL = 'admin@studio.example';
const PUBLIC_URL = 'http://studio.example';
export const SENDER = 'hello@studio.example';
export const MAIL_FROM = `PrintMargin <${SENDER}>`;

/** Everything behind the page. Each worker has its own. */
export interface Backend {
  readonly server: Server;
  /** The origin of the links in emails. */
  readonly publicUrl: string;
  readonly mailbox: MailServer;
  readonly database: Database;
  /** The proxy through which pages reach internet hosts. */
  readonly proxy?: string;
  /** Resets the rate limits of all clients. */
  forgetCallers?(): Promise<void>;
  readonly createAccount: CreateAccount;
  close(): Promise<void>;
}

interface SelfHosted {
  /** The path of another release's server program. */
  readonly program?: string | undefined;
  readonly storage?: string;
}

/**
 * Starts the built server with SQLite or Postgres, and a real SMTP server. `env` extends the settings of every test.
 */
export async function startSelfHosted(
  env: Readonly<Record<string, string>> = {},
  { program, storage = STORAGE }: SelfHosted = {},
): Promise<Backend> {
  const folder = await mkdtemp(join(tempRoot(), 'early-access-e2e-'));
  const mailbox = await startMailServer();
  const postgres = storage === 'postgres' ? await startPostgres() : null;
  const url = await postgres?.createDatabase();
  const settings = {
    DATA_DIR: folder,
    ADMIN_EMAIL,
    SMTP_URL: mailbox.url,
    MAIL_FROM,
    MAILS_PER_HOUR: '100000',
    PUBLIC_URL,
    TRUST_PROXY: '1',
    // Tests receive webhooks on this machine.
    WEBHOOK_ALLOW_LOCAL: 'on',
    ...SITE_BRAND,
    ...(url !== undefined && { DATABASE_URL: url }),
    ...env,
  };
  const server = await startServer(settings, [], program);
  const database = url === undefined ? openDatabase(join(settings.DATA_DIR, 'early-access.sqlite')) : openPostgres(url);
  return {
    server,
    publicUrl: settings.PUBLIC_URL,
    mailbox,
    database,
    createAccount: supabaseAccounts(server.origin, env.INVITE_KEY ?? ''),
    async close() {
      await database.close();
      await server.stop();
      await postgres?.close();
      await mailbox.close();
      await rm(folder, { recursive: true });
    },
  };
}
