import { fc } from '@early-access-kit/testkit/fast-check';
import { type MailServer, startMailServer } from '@early-access-kit/testkit/smtp-server';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { toMessage } from '../mime.ts';
import { exampleEmail, SENDER } from '../templates/fixtures/example.ts';
import { smtpTransport } from './smtp-transport.ts';

describe('with a server that accepts the message', () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server.close());

  it('sends the email as composed, to its one recipient', async () => {
    const email = exampleEmail('grace@example.org');
    expect(await smtpTransport({ url: server.url }).deliver(email)).toEqual({ outcome: 'sent' });
    const mail = server.received.find(({ to }) => to.includes('grace@example.org'));
    expect(mail).toMatchObject({ from: SENDER, to: ['grace@example.org'] });
    const parsed = await PostalMime.parse(mail?.source ?? '');
    expect(parsed).toMatchObject({ subject: email.subject, messageId: email.messageId });
    expect(parsed.to).toEqual([{ name: '', address: 'grace@example.org' }]);
    expect(parsed.text?.replace(/\r\n/g, '\n').trim()).toBe(email.text);
    expect(parsed.html?.replace(/\r\n/g, '\n').trim()).toBe(email.html.trim());
  });

  it('writes a non-ASCII local part as it is, and a non-ASCII domain in punycode', async () => {
    const transport = smtpTransport({ url: server.url });
    expect(await transport.deliver(exampleEmail('münch@bücher.example'))).toEqual({ outcome: 'sent' });
    expect(await transport.deliver(exampleEmail('münch@example.org'))).toEqual({ outcome: 'sent' });
    expect(await transport.deliver(exampleEmail('otto@bücher.example'))).toEqual({ outcome: 'sent' });
    // The fake server decodes the domains of the envelope; the header is as it was sent.
    const recipients = server.received.flatMap(({ to }) => to);
    expect(recipients.slice(-3)).toEqual(['münch@bücher.example', 'münch@example.org', 'otto@bücher.example']);
    expect(server.received.at(-1)?.source).toMatch(/^To: otto@xn--bcher-kva\.example\r$/m);
    expect(server.received.at(-3)?.source).toMatch(/^To: münch@bücher\.example\r$/m);
  });

  it.each(['a<v@x.io>', 'v@x.io,w@y.io', 'v@x.io\r\nRCPT TO:<w@y.io>', 'v@x.io\nBcc: w@y.io', 'a..b@x.io', 'ada@1.2'])(
    'sends nothing to %j',
    async (to) => {
      const before = server.received.length;
      const result = await smtpTransport({ url: server.url }).deliver(exampleEmail(to));
      expect(result).toMatchObject({ outcome: 'refused', refusal: 'content' });
      expect(JSON.stringify(result)).not.toMatch(/@/);
      expect(server.received).toHaveLength(before);
    },
  );
});

describe('in EHLO', () => {
  const sender = SENDER.slice(SENDER.indexOf('@') + 1);

  it.each([
    [{ name: 'early.example.com' }, '', 'early.example.com'],
    [{}, '', sender],
    [{ name: 'localhost' }, '', sender],
    [{ name: '127.0.0.1' }, '', sender],
    [{ name: 'early.example.com' }, '?name=relay.example.com', 'relay.example.com'],
  ])('a transport with %j and the options %j says %s', async (options, query, expected) => {
    const names: string[] = [];
    const server = await startMailServer({
      onData: (stream, { hostNameAppearsAs }, callback) => {
        names.push(String(hostNameAppearsAs));
        stream.resume().on('end', () => callback());
      },
    });
    onTestFinished(() => server.close());
    const transport = smtpTransport({ url: `${server.url}/${query}`, ...options });
    expect(await transport.deliver(exampleEmail())).toEqual({ outcome: 'sent' });
    await transport.close();
    expect(names).toEqual([expected]);
  });
});

describe('message headers', () => {
  it('name only the recipient, for any address that is sent to', async () => {
    const part = fc.string({ unit: fc.constantFrom(...'ab.@<>,;:"\\()[] \r\n\tüß＜＠%!x1-\u200b'), maxLength: 12 });
    const address = fc.oneof(
      // Hardly any other can be sent to, and fewer of these would sometimes be too few.
      { weight: 3, arbitrary: fc.emailAddress() },
      { weight: 2, arbitrary: fc.tuple(part, part).map(([name, domain]) => `${name}@${domain}.io`) },
      { weight: 2, arbitrary: part },
    );
    let [tried, written] = [0, 0];
    await fc.assert(
      fc.asyncProperty(address, async (to) => {
        tried += 1;
        const message = await toMessage(exampleEmail(to));
        if ('outcome' in message) {
          expect(message).toMatchObject({ outcome: 'refused', refusal: 'content' });
          return;
        }
        written += 1;
        const parsed = await PostalMime.parse(message.raw);
        expect(parsed.to).toEqual([{ name: '', address: message.to }]);
        expect(parsed.cc ?? parsed.bcc).toBeUndefined();
        expect(message.raw.toString().match(/^(to|bcc|cc):/gim)).toHaveLength(1);
      }),
      { numRuns: 240 },
    );
    expect(written).toBeGreaterThan(tried / 4);
  });

  it('cannot be injected through another field', async () => {
    const line = fc.string({ unit: fc.constantFrom(...'ab\r\n: \u2028<>@'), maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(line, line, async (before, after) => {
        const evil = `${before}\r\nBcc: v@x.io\r\n${after}`;
        const message = await toMessage(
          exampleEmail('ada@example.org', { subject: evil, messageId: `<${evil}@x.io>`, headers: { 'X-Note': evil } }),
        );
        if ('outcome' in message) return;
        const parsed = await PostalMime.parse(message.raw);
        expect(parsed.bcc).toBeUndefined();
        expect(parsed.to).toEqual([{ name: '', address: 'ada@example.org' }]);
      }),
    );
  });
});
