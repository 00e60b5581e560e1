import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ChildServer, startChild } from './fixtures/child-server.ts';
import { type MailServer, mailServer } from './fixtures/mail-server.ts';
import { until } from './fixtures/outbox-bench.ts';
import { readSignups, readValue } from './fixtures/read-back.ts';
import { signupOf } from './fixtures/records.ts';
import { tempFolder } from './fixtures/temp-folder.ts';

const CLIENTS = 16;

function settings(DATA_DIR: string, mail: MailServer): Record<string, string> {
  return { DATA_DIR, SMTP_URL: mail.url, MAIL_FROM: 'hello@example.com', TRUST_PROXY: '1' };
}

function openRaw(DATA_DIR: string): DatabaseSync {
  const raw = new DatabaseSync(join(DATA_DIR, 'early-access.sqlite'), { readOnly: true });
  onTestFinished(() => raw.close());
  return raw;
}

let lastClient = 0;

/** Signs an address up as a visitor of his own. Answers whether he was told that he is on the list. */
async function signUp(url: string, email: string): Promise<boolean> {
  lastClient += 1;
  const address = `10.${lastClient >> 16}.${(lastClient >> 8) & 255}.${lastClient & 255}`;
  const answer = await fetch(`${url}/api/signups`, {
    method: 'POST',
    body: JSON.stringify(signupOf({ email })),
    headers: { 'x-forwarded-for': address },
  });
  const { result }: { result?: string } = await answer.json();
  return answer.status === 201 && result === 'created';
}

/** Signs people up until the server is gone, and kills it after so many were told that they are on the list. */
async function killAfter(
  count: number,
  { url, process, finished }: ChildServer,
  acknowledged: string[],
): Promise<void> {
  const before = acknowledged.length;
  let killed = false;
  async function client(): Promise<void> {
    while (!killed) {
      const email = `${crypto.randomUUID()}@example.org`;
      // A request that breaks off was not acknowledged.
      if (await signUp(url, email).catch(() => false)) acknowledged.push(email);
      if (!killed && acknowledged.length - before >= count) {
        killed = true;
        process.kill('SIGKILL');
      }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client));
  expect((await finished).signal).toBe('SIGKILL');
}

describe('a server that is killed in the middle of sign-ups', () => {
  it('has kept every one it acknowledged, and sends nobody two mails', { timeout: 30_000 }, async () => {
    const DATA_DIR = tempFolder();
    const mail = await mailServer();
    const acknowledged: string[] = [];
    for (const count of [1, 40, 7, 150, 23, 80]) {
      await killAfter(count, await startChild(settings(DATA_DIR, mail)), acknowledged);
    }
    const raw = openRaw(DATA_DIR);
    const kept = new Set(readSignups(raw).map(({ email }) => email));
    expect(acknowledged.length).toBeGreaterThanOrEqual(301);
    expect(acknowledged.filter((email) => !kept.has(email))).toEqual([]);
    expect(readValue(raw, 'PRAGMA integrity_check')).toBe('ok');
    expect(readValue(raw, 'SELECT count(*) FROM mails')).toBe(kept.size);

    // The next start goes on with the oldest: what was on its way at a kill would be among the first to go out twice.
    const takenBefore = mail.taken.length;
    const { process, finished } = await startChild(settings(DATA_DIR, mail));
    await until(() => expect(mail.taken.length).toBeGreaterThanOrEqual(takenBefore + 20));
    process.kill('SIGTERM');
    expect((await finished).code).toBe(0);
    expect(new Set(mail.taken).size).toBe(mail.taken.length);
    const sent = raw.prepare("SELECT email FROM email_signups JOIN mails ON signup_id = id WHERE state = 'sent'").all();
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter(({ email }) => !mail.taken.includes(String(email)))).toEqual([]);
  });
});

describe('two servers on one file', () => {
  it('keep one record and send one mail for each address', { timeout: 20_000 }, async () => {
    const DATA_DIR = tempFolder();
    const mail = await mailServer();
    // Started at once, so that they also meet while the database is made.
    const servers = await Promise.all([startChild(settings(DATA_DIR, mail)), startChild(settings(DATA_DIR, mail))]);
    const emails = Array.from({ length: 60 }, (_, person) => `person-${person}@example.org`);
    const created = await Promise.all(servers.flatMap(({ url }) => emails.map((email) => signUp(url, email))));
    expect(created.filter(Boolean)).toHaveLength(emails.length);
    await until(() => expect([...mail.taken].sort()).toEqual([...emails].sort()));
    for (const { process } of servers) process.kill('SIGTERM');
    for (const { finished } of servers) expect(await finished).toMatchObject({ code: 0, signal: null });
    expect(
      readSignups(openRaw(DATA_DIR))
        .map(({ email }) => email)
        .sort(),
    ).toEqual([...emails].sort());
    expect(mail.taken).toHaveLength(emails.length);
  });
});
