import { fc } from '@early-access-kit/testkit/fast-check';
import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { formatMailbox, parseMailbox, wireAddress } from './address.ts';
import { toMessage } from './mime.ts';
import { exampleEmail } from './templates/fixtures/example.ts';

describe('wireAddress', () => {
  it.each([
    ['ada@example.org', 'ada@example.org', false],
    ["o'brien+prints@sub.example.co", "o'brien+prints@sub.example.co", false],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example', false],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example', false],
    ['ada@straße.example', 'ada@xn--strae-oqa.example', false],
    ['münch@bücher.example', 'münch@bücher.example', true],
    ['用户@例子.广告', '用户@例子.广告', true],
  ])('writes %s as %s', (stored, address, needsSmtpUtf8) => {
    expect(wireAddress(stored)).toEqual({ address, needsSmtpUtf8 });
  });

  it.each([
    'a<v@x.io>',
    'v@x.io,w@y.io',
    'v@x.io\r\nBcc: w@y.io',
    'v@x.io\n',
    'Ada@example.org',
    ' ada@example.org',
    'ada@ｅxample.org',
    'ada@x\u00ad.io',
    'ada@٣.example',
  ])('returns null for %j', (stored) => expect(wireAddress(stored)).toBeNull());

  it('normalises back to the stored address', () => {
    const stored = fc.oneof(
      fc.emailAddress(),
      fc.tuple(fc.string({ unit: 'grapheme' }), fc.domain()).map((p) => p.join('@')),
      fc.string({ unit: 'grapheme' }).map((domain) => `ada@${domain}.example`),
    );
    fc.assert(
      fc.property(stored, (raw) => {
        const email = normalizeEmail(raw);
        const wire = wireAddress(email);
        if (!wire) return;
        expect(isValidEmail(email)).toBe(true);
        expect(normalizeEmail(wire.address)).toBe(email);
      }),
      { numRuns: 400 },
    );
  });
});

describe('parseMailbox', () => {
  it.each([
    ['hello@acme.example', '', 'hello@acme.example'],
    ['Acme <hello@acme.example>', 'Acme', 'Acme <hello@acme.example>'],
    ['<hello@acme.example>', '', 'hello@acme.example'],
    ['"Acme, Inc." <hi@acme.example>', 'Acme, Inc.', '"Acme, Inc." <hi@acme.example>'],
    ['Acme, Inc. <hi@acme.example>', 'Acme, Inc.', '"Acme, Inc." <hi@acme.example>'],
    [String.raw`"A \"b\" \\ <c@d.io>" <hi@acme.example>`, String.raw`A "b" \ <c@d.io>`],
    ['Acme "and" Co <hi@acme.example>', 'Acme and Co'],
    ['Acme (the shop) <hi@acme.example>', 'Acme (the shop)', '"Acme (the shop)" <hi@acme.example>'],
    ['hi@acme.example (Acme)', 'Acme', 'Acme <hi@acme.example>'],
    ['(Acme) hi@acme.example', 'Acme', 'Acme <hi@acme.example>'],
    ['Acme <hi@acme.example> (news)', 'Acme (news)'],
    ['Bücher <hi@bücher.example>', 'Bücher', 'Bücher <hi@bücher.example>'],
  ])('reads %j', (text, name, written?: string) => {
    const mailbox = parseMailbox(text);
    expect(mailbox).toMatchObject({ name, address: /\S+@\S+\.example/.exec(text.replace(/[<>]/g, ' '))?.[0] });
    if (mailbox && written) expect(formatMailbox(mailbox)).toBe(written);
  });

  it.each([
    '',
    'Acme',
    'Acme hello@acme.example',
    'Acme < hello@acme.example>',
    'Acme <\u2068hello@acme.example\u2069>',
    "'hello@acme.example'",
    'A <a@x.example> <b@x.example>',
    'A\r\nBcc: b@x.example <a@x.example>',
    '"Acme <hello@acme.example>',
    'Acme) <hello@acme.example>',
    'a@x.example, b@x.example',
    '=?utf-8?Q?Caf=C3=A9?= <hello@acme.example>',
    `${'a'.repeat(600)} <hello@acme.example>`,
  ])('refuses %j', (text) => {
    expect(parseMailbox(text)).toBeNull();
  });

  const name = fc
    .string({
      unit: fc.oneof(fc.constantFrom(...'ab ",;:<>()[]@\\.=?é'), fc.string({ unit: 'grapheme', maxLength: 1 })),
      maxLength: 20,
    })
    .map((text) => text.replace(/[\s\p{C}]+/gu, ' ').trim());

  it('reads every name that is in quotes as it is, and mail programs read the same', async () => {
    await fc.assert(
      fc.asyncProperty(name, async (name) => {
        const mailbox = { name: `A${name}`, address: 'hi@acme.example' };
        const from = formatMailbox(mailbox);
        fc.pre(!/=\?[^?\s]*\?[bq]\?/i.test(name) && from.length < 500);
        expect(parseMailbox(from)).toEqual(mailbox);
        const message = await toMessage({ ...exampleEmail(), from, headers: { 'Reply-To': from } });
        if ('outcome' in message) throw new Error(message.reason);
        const parsed = await PostalMime.parse(message.raw);
        expect(parsed.from).toEqual(mailbox);
        expect(parsed.replyTo).toEqual([mailbox]);
      }),
    );
  });

  it('returns one address that any text contains, or null', () => {
    fc.assert(
      fc.property(fc.tuple(name, fc.constantFrom('hi@acme.example', '<hi@acme.example>', ''), name), (parts) => {
        const mailbox = parseMailbox(parts.join(' '));
        if (mailbox === null) return;
        expect(parts.join(' ')).toContain(mailbox.address);
        expect(mailbox.address).toMatch(/^[^\s<>"(),]+@[^\s<>"(),]+$/);
      }),
    );
  });
});
