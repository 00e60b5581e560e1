import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { signupOf } from '@early-access-kit/testkit/records';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startChild } from '../fixtures/child-server.ts';
import { until } from '../fixtures/mail-harness.ts';
import { readSignups, readValue } from '../fixtures/read-back.ts';

async function openConnection(url: string): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** A signup request in two parts. */
function cutRequest(email: string): [string, string] {
  const body = JSON.stringify(signupOf({ email }));
  const head = `POST /api/signups HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n`;
  return [head + body.slice(0, 20), body.slice(20)];
}

describe('SIGTERM', () => {
  it('finishes requests in progress and exits with 0', async () => {
    const DATA_DIR = tempFolder();
    const server = await startChild({ DATA_DIR });
    const [slow, idle] = [await openConnection(server.url), await openConnection(server.url)];
    const [first, rest] = cutRequest('slow@example.org');
    slow.write(first);
    idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    // A later connection got its response, so the server has received the first half of the slow request.
    await once(idle, 'data');
    server.process.kill('SIGTERM');
    await server.printedMatch('stderr', /"event":"(stopping)"/);
    await once(idle, 'close');
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    slow.write(rest);
    const [response] = await once(slow, 'data');
    expect(String(response)).toMatch(/^HTTP\/1\.1 201 /);
    expect(await server.finished).toMatchObject({ code: 0, signal: null });
    const raw = new DatabaseSync(join(DATA_DIR, 'early-access.sqlite'), { readOnly: true });
    expect(readSignups(raw).map(({ email }) => email)).toEqual(['slow@example.org']);
    raw.close();
  });

  it('finishes a delivery in progress and records it as sent', async () => {
    const DATA_DIR = tempFolder();
    const mail = await startMailServer();
    onTestFinished(mail.close);
    const arriving = mail.holdNext();
    const settings = { SMTP_URL: mail.url, MAIL_FROM: 'hello@example.com', PUBLIC_URL: 'http://www.example.com' };
    const server = await startChild({ DATA_DIR, ...settings });
    await fetch(`${server.url}/api/signups`, { method: 'POST', body: JSON.stringify(signupOf()) });
    const release = await arriving;
    server.process.kill('SIGTERM');
    await server.printedMatch('stderr', /"event":"(stopping)"/);
    release();
    expect((await server.finished).code).toBe(0);
    const raw = new DatabaseSync(join(DATA_DIR, 'early-access.sqlite'), { readOnly: true });
    expect(readValue(raw, 'SELECT state FROM mails')).toBe('sent');
    raw.close();
    await until(() => expect(mail.recipients).toHaveLength(1));
  });
});
