import { freePort } from '@early-access-kit/testkit/http-server';
import {
  type Answers,
  type ScriptedServer,
  type Stage,
  startScriptedServer,
} from '@early-access-kit/testkit/smtp-script';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { exampleEmail } from './fixtures/example.ts';
import { smtpTransport } from './smtp-transport.ts';

const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function scripted(answers: Partial<Answers>): Promise<ScriptedServer> {
  const server = await startScriptedServer(answers);
  servers.push(server);
  return server;
}

/** What becomes of a delivery to a server that falls silent at a stage, once the time for it is over. */
async function deliverInto(silence: Stage, server: ScriptedServer, url = server.url) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const delivery = smtpTransport({ url, timeoutMs: 60_000 }).deliver(exampleEmail());
  await server.until(silence);
  vi.advanceTimersByTime(60_000);
  return delivery;
}

const later = (reason: RegExp) => ({ outcome: 'refused', permanent: false, reason: expect.stringMatching(reason) });
const never = (reason: RegExp) => ({ outcome: 'refused', permanent: true, reason: expect.stringMatching(reason) });
const perhaps = (reason: RegExp) => ({ outcome: 'unknown', reason: expect.stringMatching(reason) });

describe('before the message is handed over, a lost connection is a definite failure', () => {
  const stages: readonly Stage[] = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA'];

  it.each(stages)('cut at %s', async (stage) => {
    const server = await scripted({ [stage]: 'cut' });
    expect(await smtpTransport({ url: server.url }).deliver(exampleEmail())).toEqual(later(/^ECONNECTION|^ESOCKET/));
    expect(server.reached.at(-1)).toBe(stage);
  });

  it.each(stages)('silence at %s', async (stage) => {
    const server = await scripted({ [stage]: 'hang' });
    expect(await deliverInto(stage, server)).toEqual(later(/^ETIMEDOUT/));
    expect(server.reached.at(-1)).toBe(stage);
  });

  it.each(stages)('cut at %s by a server that takes commands in batches', async (stage) => {
    const server = await scripted({ EHLO: '250-scripted\r\n250 PIPELINING', [stage]: 'cut' });
    expect(await smtpTransport({ url: server.url }).deliver(exampleEmail())).toEqual(later(/^ECONNECTION|^ESOCKET/));
    expect(server.reached).not.toContain('message');
  });
});

describe('after the message is handed over, a lost answer leaves it open', () => {
  it.each([
    ['cut', /^ECONNECTION|^ESOCKET/],
    ['354 once more', /^354 \(DATA\)$/],
    ['nonsense', /^EMESSAGE \(DATA\)$/],
  ])('answer: %s', async (message, reason) => {
    const server = await scripted({ message });
    expect(await smtpTransport({ url: server.url }).deliver(exampleEmail())).toEqual(perhaps(reason));
    expect(server.reached.at(-1)).toBe('message');
  });

  it('no answer', async () => {
    const server = await scripted({ message: 'hang' });
    expect(await deliverInto('message', server)).toEqual(perhaps(/^ETIMEDOUT/));
  });

  it('also where the transport is closed meanwhile', async () => {
    const server = await scripted({ message: 'hang' });
    const transport = smtpTransport({ url: server.url });
    const delivery = transport.deliver(exampleEmail());
    await server.until('message');
    await transport.close();
    expect(await delivery).toEqual(perhaps(/^ECONNECTION/));
  });
});

describe('an answer is believed', () => {
  it.each<[Partial<Answers>, object]>([
    [{ RCPT: '550 5.1.1 <ada@example.org> unknown' }, never(/^550 5\.1\.1 \(RCPT TO\)$/)],
    [{ RCPT: '450 4.2.1 <ada@example.org> try later' }, later(/^450 4\.2\.1 \(RCPT TO\)$/)],
    [{ DATA: '554 5.5.1 no' }, never(/^554 5\.5\.1 \(DATA\)$/)],
    [{ DATA: '451 4.3.0 later' }, later(/^451 4\.3\.0 \(DATA\)$/)],
    [{ message: '554 5.7.1 <ada@example.org> spam' }, never(/^554 5\.7\.1 \(DATA\)$/)],
    [{ message: '452 4.3.1 full' }, later(/^452 4\.3\.1 \(DATA\)$/)],
    [{ message: '421 4.3.2 shutting down' }, later(/^421 4\.3\.2/)],
    [{ greeting: '554 5.3.2 not today' }, later(/^554 5\.3\.2/)],
    [{ EHLO: '421 4.3.2 busy' }, later(/^421/)],
    // Refuses the sender, not the recipient: a matter of the configuration.
    [{ MAIL: '550 5.7.1 not your domain' }, later(/^550 5\.7\.1 \(MAIL FROM\)$/)],
  ])('%j', async (answers, expected) => {
    const server = await scripted(answers);
    expect(await smtpTransport({ url: server.url }).deliver(exampleEmail())).toEqual(expected);
    const batched = await scripted({ EHLO: '250-scripted\r\n250 PIPELINING', ...answers });
    expect(await smtpTransport({ url: batched.url }).deliver(exampleEmail())).toEqual(expected);
  });

  it('of a real server that knows no such person', async () => {
    const server = await startMailServer({
      onRcptTo: (address, _, callback) =>
        callback(Object.assign(new Error(`no ${address.address} here`), { responseCode: 550 })),
    });
    servers.push(server);
    expect(await smtpTransport({ url: server.url }).deliver(exampleEmail())).toEqual(never(/^550 \(RCPT TO\)$/));
    expect(server.received).toEqual([]);
  });
});

describe('without a conversation', () => {
  it('nobody listens', async () => {
    const port = await freePort();
    const transport = smtpTransport({ url: `smtp://127.0.0.1:${port}` });
    expect(await transport.deliver(exampleEmail())).toEqual(later(/ECONNREFUSED/));
  });

  it('no such host', async () => {
    const transport = smtpTransport({ url: 'smtp://no-such-host.invalid:25', timeoutMs: 5_000 });
    expect(await transport.deliver(exampleEmail())).toEqual(later(/^EDNS|^ETIMEDOUT/));
  });

  it('the server speaks no TLS where it has to', async () => {
    const server = await scripted({});
    const transport = smtpTransport({ url: server.url.replace('smtp:', 'smtps:'), timeoutMs: 2_000 });
    expect(await transport.deliver(exampleEmail())).toEqual(later(/^ESOCKET|^ETLS|^ETIMEDOUT/));
  });
});

describe('TLS', () => {
  it('is used where the server offers it, and a certificate of nobody is not believed', async () => {
    const secure: boolean[] = [];
    const server = await startMailServer({
      hideSTARTTLS: false,
      onMailFrom(_, session, callback) {
        secure.push(session.secure);
        callback();
      },
    });
    servers.push(server);
    expect(await smtpTransport({ url: server.url }).deliver(exampleEmail())).toEqual(later(/^ESOCKET|^ETLS/));
    const trusting = smtpTransport({ url: `${server.url}/?tls.rejectUnauthorized=false` });
    expect(await trusting.deliver(exampleEmail())).toEqual({ outcome: 'sent' });
    expect(secure).toEqual([true]);
  });

  it('can be demanded of a server that offers none', async () => {
    const server = await scripted({});
    const transport = smtpTransport({ url: `${server.url}/?requireTLS=true` });
    expect(await transport.deliver(exampleEmail())).toMatchObject({ outcome: 'refused', permanent: false });
    expect(server.reached).not.toContain('MAIL');
  });
});

describe('signing in', () => {
  const withPassword = (url: string) => url.replace('smtp://', 'smtp://shop:p%40ss@');

  it('uses the credentials of the URL', async () => {
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, callback) =>
        username === 'shop' && password === 'p@ss' ? callback(null, { user: username }) : callback(new Error('no')),
    });
    servers.push(server);
    expect(await smtpTransport({ url: withPassword(server.url) }).deliver(exampleEmail())).toEqual({ outcome: 'sent' });
    const wrong = smtpTransport({ url: server.url.replace('smtp://', 'smtp://shop:wrong@') });
    expect(await wrong.deliver(exampleEmail())).toEqual(later(/^5\d\d .*\(AUTH/));
    expect(server.received).toHaveLength(1);
  });

  it('is a definite failure where the server hangs up or falls silent', async () => {
    const EHLO = '250-scripted\r\n250 AUTH PLAIN';
    const rude = await scripted({ EHLO, AUTH: 'cut' });
    expect(await smtpTransport({ url: withPassword(rude.url) }).deliver(exampleEmail())).toEqual(
      later(/^ECONN|^ESOCK/),
    );
    const silent = await scripted({ EHLO, AUTH: 'hang' });
    expect(await deliverInto('AUTH', silent, withPassword(silent.url))).toEqual(later(/^ETIMEDOUT/));
  });

  it('is not left out where the server offers none', async () => {
    const server = await scripted({});
    expect(await smtpTransport({ url: withPassword(server.url) }).deliver(exampleEmail())).toEqual(later(/no sign-in/));
    expect(server.reached).not.toContain('MAIL');
  });
});

it('refuses an international name where the server knows ASCII only', async () => {
  const server = await scripted({ EHLO: '250-scripted\r\n250 8BITMIME' });
  const transport = smtpTransport({ url: server.url });
  expect(await transport.deliver(exampleEmail('münch@example.org'))).toEqual(never(/internationalised/));
  expect(await transport.deliver(exampleEmail('otto@bücher.example'))).toEqual({ outcome: 'sent' });
});
