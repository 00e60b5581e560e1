import { freePort } from '@early-access-kit/testkit/http-server';
import {
  type Replies,
  type ScriptedServer,
  type Stage,
  startScriptedServer,
} from '@early-access-kit/testkit/smtp-script';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Refusal } from '../../app/mail/classify-reply.ts';
import { exampleEmail } from '../templates/fixtures/example.ts';
import { smtpTransport } from './smtp-transport.ts';

const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function scripted(replies: Partial<Replies>): Promise<ScriptedServer> {
  const server = await startScriptedServer(replies);
  servers.push(server);
  return server;
}

const deliverTo = (url: string, timeoutMs = 120_000) => smtpTransport({ url, timeoutMs }).deliver(exampleEmail());

/** Delivers to a server that hangs at a stage, until the timeout. */
async function deliverUntilTimeout(hangAt: Stage, server: ScriptedServer, url = server.url) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const delivery = smtpTransport({ url, timeoutMs: 60_000 }).deliver(exampleEmail());
  await server.until(hangAt);
  vi.advanceTimersByTime(60_000);
  return delivery;
}

const refusalAs = (refusal: Refusal, reason: RegExp) => ({
  outcome: 'refused',
  refusal,
  reason: expect.stringMatching(reason),
});
const temporaryRefusal = (reason: RegExp) => refusalAs('later', reason);
const unreachable = (reason: RegExp) => refusalAs('unreachable', reason);
const unknownOutcome = (reason: RegExp) => ({ outcome: 'unknown', reason: expect.stringMatching(reason) });

describe('before the body is sent, a lost connection is a definite failure', () => {
  const stages: readonly Stage[] = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA'];

  it.each(stages)('connection cut at %s', async (stage) => {
    const server = await scripted({ [stage]: 'cut' });
    expect(await deliverTo(server.url)).toEqual(unreachable(/^ECONNECTION|^ESOCKET/));
    expect(server.reached.at(-1)).toBe(stage);
  });

  it.each(stages)('no response at %s', async (stage) => {
    const server = await scripted({ [stage]: 'hang' });
    expect(await deliverUntilTimeout(stage, server)).toEqual(unreachable(/^ETIMEDOUT/));
    expect(server.reached.at(-1)).toBe(stage);
  });

  it.each(stages)('connection cut at %s by a server with PIPELINING', async (stage) => {
    const server = await scripted({ EHLO: '250-scripted\r\n250 PIPELINING', [stage]: 'cut' });
    expect(await deliverTo(server.url)).toEqual(unreachable(/^ECONNECTION|^ESOCKET/));
    expect(server.reached).not.toContain('message');
  });
});

describe('after the body is sent, a lost response means an unknown outcome', () => {
  it.each([
    ['cut', /^ECONNECTION|^ESOCKET/],
    ['354 once more', /^354 once more \(DATA\)$/],
    ['nonsense', /^EMESSAGE \(DATA\)$/],
  ])('response: %s', async (message, reason) => {
    const server = await scripted({ message });
    expect(await deliverTo(server.url)).toEqual(unknownOutcome(reason));
    expect(server.reached.at(-1)).toBe('message');
  });

  it('no response', async () => {
    const server = await scripted({ message: 'hang' });
    expect(await deliverUntilTimeout('message', server)).toEqual(unknownOutcome(/^ETIMEDOUT/));
  });

  it('transport closed while waiting for the response', async () => {
    const server = await scripted({ message: 'hang' });
    const transport = smtpTransport({ url: server.url });
    const delivery = transport.deliver(exampleEmail());
    await server.until('message');
    await transport.close();
    expect(await delivery).toEqual(unknownOutcome(/^ECONNECTION/));
  });
});

describe('a 4xx or 5xx response is a definite failure', () => {
  it.each<[Partial<Replies>, object]>([
    [{ RCPT: '550 5.1.1 <ada@example.org> unknown' }, refusalAs('no-mailbox', /^550 5\.1\.1 .* \(RCPT TO\)$/)],
    [{ RCPT: '450 4.2.1 <ada@example.org> try later' }, temporaryRefusal(/^450 4\.2\.1 .* \(RCPT TO\)$/)],
    [
      { RCPT: '554 5.7.1 Relay access denied' },
      refusalAs('perhaps-ours', /^554 5\.7\.1 Relay access denied \(RCPT TO\)$/),
    ],
    [{ DATA: '554 5.5.1 no' }, refusalAs('unclear', /^554 5\.5\.1 no \(DATA\)$/)],
    [{ DATA: '451 4.3.0 later' }, temporaryRefusal(/^451 4\.3\.0 later \(DATA\)$/)],
    [
      { message: '554 5.7.1 <ada@example.org> spam' },
      refusalAs('unclear', /^554 5\.7\.1 <\[address\]> spam \(DATA\)$/),
    ],
    [{ message: '552 5.3.4 too big' }, refusalAs('content', /^552 5\.3\.4 too big \(DATA\)$/)],
    [{ message: '452 4.3.1 full' }, temporaryRefusal(/^452 4\.3\.1 full \(DATA\)$/)],
    [{ message: '421 4.3.2 shutting down' }, unreachable(/^421 4\.3\.2 shutting down/)],
    [{ greeting: '421 4.3.2 Service shutting down' }, unreachable(/^421 4\.3\.2 Service shutting down/)],
    [{ greeting: '554 5.3.2 not today' }, refusalAs('our-problem', /^554 5\.3\.2 not today/)],
    [{ EHLO: '421 4.3.2 busy' }, unreachable(/^421 4\.3\.2 busy/)],
    [{ MAIL: '421 4.7.0 too many connections' }, unreachable(/^421 4\.7\.0 too many connections/)],
    [{ RCPT: '421 4.7.0 too many connections' }, unreachable(/^421 4\.7\.0 too many connections/)],
    // Rejects the sender, not the recipient: a configuration error.
    [{ MAIL: '550 5.7.1 not your domain' }, refusalAs('our-problem', /^550 5\.7\.1 not your domain \(MAIL FROM\)$/)],
  ])('%j', async (replies, expected) => {
    const server = await scripted(replies);
    expect(await deliverTo(server.url)).toEqual(expected);
    const batched = await scripted({ EHLO: '250-scripted\r\n250 PIPELINING', ...replies });
    expect(await deliverTo(batched.url)).toEqual(expected);
  });
});

describe('if no SMTP session starts', () => {
  it('refused connection', async () => {
    expect(await deliverTo(`smtp://127.0.0.1:${await freePort()}`)).toEqual(unreachable(/ECONNREFUSED/));
  });

  it('unknown host', async () => {
    expect(await deliverTo('smtp://no-such-host.invalid:25', 5_000)).toEqual(unreachable(/^EDNS|^ETIMEDOUT/));
  });

  it('server without TLS for an smtps URL', async () => {
    const server = await scripted({});
    const url = server.url.replace('smtp:', 'smtps:');
    expect(await deliverTo(url, 2_000)).toEqual(unreachable(/^ESOCKET|^ETLS|^ETIMEDOUT/));
  });
});

describe('TLS', () => {
  it('is used if the server offers it, and an untrusted certificate is rejected', async () => {
    const secure: boolean[] = [];
    const server = await startMailServer({
      hideSTARTTLS: false,
      onMailFrom(_, session, callback) {
        secure.push(session.secure);
        callback();
      },
    });
    servers.push(server);
    expect(await deliverTo(server.url)).toEqual(unreachable(/^ESOCKET|^ETLS/));
    expect(await deliverTo(`${server.url}/?tls.rejectUnauthorized=false`)).toEqual({ outcome: 'sent' });
    expect(secure).toEqual([true]);
  });

  it('can be required, so that a server without TLS gets no email', async () => {
    const server = await scripted({});
    expect(await deliverTo(`${server.url}/?requireTLS=true`)).toEqual(unreachable(/./));
    expect(server.reached).not.toContain('MAIL');
  });
});

describe('authentication', () => {
  const withPassword = (url: string) => url.replace('smtp://', 'smtp://shop:p%40ss@');

  it('uses the credentials of the URL', async () => {
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, callback) =>
        username === 'shop' && password === 'p@ss' ? callback(null, { user: username }) : callback(new Error('no')),
    });
    servers.push(server);
    expect(await deliverTo(withPassword(server.url))).toEqual({ outcome: 'sent' });
    const wrong = server.url.replace('smtp://', 'smtp://shop:wrong@');
    expect(await deliverTo(wrong)).toEqual(refusalAs('our-problem', /^5\d\d .*\(AUTH/));
    expect(server.received).toHaveLength(1);
  });

  it('fails definitely if the server disconnects or does not respond', async () => {
    const EHLO = '250-scripted\r\n250 AUTH PLAIN';
    const disconnecting = await scripted({ EHLO, AUTH: 'cut' });
    expect(await deliverTo(withPassword(disconnecting.url))).toEqual(unreachable(/^ECONN|^ESOCK/));
    const hanging = await scripted({ EHLO, AUTH: 'hang' });
    expect(await deliverUntilTimeout('AUTH', hanging, withPassword(hanging.url))).toEqual(unreachable(/^ETIMEDOUT/));
  });

  it('is never skipped, even if the server does not offer it', async () => {
    const server = await scripted({});
    expect(await deliverTo(withPassword(server.url))).toEqual(refusalAs('our-problem', /no sign-in/));
    expect(server.reached).not.toContain('MAIL');
  });
});

it('refuses a non-ASCII local part if the server does not support SMTPUTF8', async () => {
  const server = await scripted({ EHLO: '250-scripted\r\n250 8BITMIME' });
  const transport = smtpTransport({ url: server.url });
  expect(await transport.deliver(exampleEmail('münch@example.org'))).toEqual(refusalAs('content', /internationalized/));
  expect(await transport.deliver(exampleEmail('otto@bücher.example'))).toEqual({ outcome: 'sent' });
});

describe('a connection', () => {
  const greetings = ({ reached }: ScriptedServer) => reached.filter((stage) => stage === 'greeting').length;

  it('is used for the emails that follow, up to 100', async () => {
    const server = await scripted({});
    const transport = smtpTransport({ url: server.url });
    for (let n = 0; n < 100; n += 1) expect(await transport.deliver(exampleEmail())).toEqual({ outcome: 'sent' });
    expect(greetings(server)).toBe(1);
    await transport.deliver(exampleEmail());
    expect(greetings(server)).toBe(2);
    await transport.close();
  });

  it('is closed if no email follows within a second', async () => {
    const server = await scripted({});
    const transport = smtpTransport({ url: server.url });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    await transport.deliver(exampleEmail());
    vi.advanceTimersByTime(1_000);
    await transport.deliver(exampleEmail());
    expect(greetings(server)).toBe(2);
    await transport.close();
  });

  it('is not used after a failure', async () => {
    const server = await scripted({ message: '451 4.3.0 later' });
    const transport = smtpTransport({ url: server.url });
    for (let n = 0; n < 2; n += 1) {
      expect(await transport.deliver(exampleEmail())).toEqual(temporaryRefusal(/^451/));
    }
    expect(greetings(server)).toBe(2);
  });

  it('that the server closed meanwhile is replaced', async () => {
    const server = await scripted({});
    const transport = smtpTransport({ url: server.url });
    for (const last of [undefined, '421 4.4.2 closing\r\n']) {
      await transport.deliver(exampleEmail());
      server.hangUp(last);
      expect(await transport.deliver(exampleEmail())).toEqual({ outcome: 'sent' });
    }
    await transport.close();
  });
});
