import { join } from 'node:path';
import { type Server, startServer } from '@early-access-kit/testkit/built-server';
import { type MailServer, startMailServer } from '@early-access-kit/testkit/smtp-server';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { HOUR_MS } from 'early-access-kit/internal';
import { sqliteStore } from 'early-access-server/sqlite';
import { expect, onTestFinished, vi } from 'vitest';
import { readFile } from './audit.ts';
import type { Ledger } from './ledger.ts';

/** A data folder, a mail server, and the servers that use both. */
export interface Deployment {
  readonly file: string;
  readonly mailbox: MailServer;
  readonly folder: string;
  /** Starts another server, which is stopped after the test. */
  serve(through?: readonly string[]): Promise<Server>;
}

export async function startDeployment(
  mailServer?: Parameters<typeof startMailServer>[0],
  settings: Readonly<Record<string, string>> = {},
): Promise<Deployment> {
  const folder = tempFolder();
  const mailbox = await startMailServer(mailServer);
  onTestFinished(mailbox.close);
  return {
    file: join(folder, 'early-access.sqlite'),
    mailbox,
    folder,
    async serve(through) {
      const env = {
        DATA_DIR: folder,
        ADMIN_EMAIL: 'admin@example.com',
        SMTP_URL: mailbox.url,
        MAIL_FROM: 'hello@example.com',
        MAILS_PER_HOUR: '1000000',
        PUBLIC_URL: 'http://www.example.com',
        TRUST_PROXY: '1',
        ...settings,
      };
      const server = await startServer(env, through);
      onTestFinished(server.kill);
      return server;
    },
  };
}

/**
 * Waits until the queue is empty, then checks the mailbox: one message for each signup, and at most one if the message
 * was `inFlight` when a server was killed. Returns how many of the latter arrived.
 */
export async function expectMailsSent(deployment: Deployment, ledger: Ledger, inFlight: Set<string>): Promise<number> {
  const open = () =>
    readFile(deployment.file, (raw) =>
      raw
        .prepare(
          "SELECT email FROM email_signups JOIN mails ON signup_id = email_signups.id WHERE mails.state IN ('queued', 'sending')",
        )
        .all(),
    ).filter(({ email }) => !inFlight.has(String(email)));
  await vi.waitFor(() => expect(open()).toEqual([]), { interval: 100 });
  const stored = readFile(deployment.file, (raw) =>
    raw.prepare('SELECT email, mails.state FROM email_signups JOIN mails ON signup_id = email_signups.id').all(),
  ).map(({ email, state }) => ({
    email: String(email),
    state,
    mails: deployment.mailbox.mailsTo(String(email)).length,
  }));
  expect(stored.filter(({ email, state, mails }) => !inFlight.has(email) && (state !== 'sent' || mails !== 1))).toEqual(
    [],
  );
  expect(stored.filter(({ mails }) => mails > 1)).toEqual([]);
  expect([...ledger.requested.keys()].filter((email) => deployment.mailbox.mailsTo(email).length > 1)).toEqual([]);
  return [...inFlight].filter((email) => deployment.mailbox.mailsTo(email).length === 1).length;
}

/**
 * Lets the leases of interrupted deliveries expire. Returns the number of `unknown` messages, which are never resent.
 */
export async function unknownAfterLease(file: string): Promise<number> {
  const store = sqliteStore({ file, clock: () => Date.now() + HOUR_MS });
  try {
    await store.mails.expireLeases();
    return (await store.mails.counts()).get('unknown') ?? 0;
  } finally {
    store.close();
  }
}
