import { normalizeEmail } from 'early-access-kit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mailboxKey, mailboxOf } from './mailbox.ts';

describe('mailboxOf', () => {
  it.each([
    ['ada@example.org', 'ada@example.org'],
    ['ada+news@example.org', 'ada@example.org'],
    ['ada+a+b@example.org', 'ada@example.org'],
    ['a.d.a@example.org', 'a.d.a@example.org'],
    ['+ada@example.org', '+ada@example.org'],
    ['+ada+news@example.org', '+ada@example.org'],
    ['a.d.a+news@gmail.com', 'ada@gmail.com'],
    ['a.d.a@googlemail.com', 'ada@gmail.com'],
    ['a.d.a@mail.gmail.com', 'a.d.a@mail.gmail.com'],
    ['münch+1@xn--bcher-kva.example', 'münch@xn--bcher-kva.example'],
  ])('%s delivers to %s', (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox));

  it('is the same for every tag, every capital letter and every dot at Gmail', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/);
    const tag = fc.stringMatching(/^[a-z0-9.+-]{0,9}$/);
    fc.assert(
      fc.property(name, tag, fc.nat(9), (local, suffix, dot) => {
        const spelling = `${local.slice(0, dot)}.${local.slice(dot)}+${suffix}@GoogleMail.com`;
        expect(mailboxKey(normalizeEmail(spelling))).toBe(mailboxKey(`${local}@gmail.com`));
        expect(mailboxOf(`${local}+${suffix}@example.org`)).toBe(`${local}@example.org`);
      }),
    );
  });
});

it('mailboxKey repeats no address', () => {
  expect(mailboxKey('ada+news@example.org')).toMatch(/^[0-9a-f]{64}$/);
  expect(mailboxKey('ada@example.org')).not.toBe(mailboxKey('bob@example.org'));
});
