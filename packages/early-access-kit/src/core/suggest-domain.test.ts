import { expect, it } from 'vitest';
import { suggestDomain } from './suggest-domain.ts';

it.each([
  ['gmial.com', 'gmail.com'],
  ['gmai.com', 'gmail.com'],
  ['gmaill.com', 'gmail.com'],
  ['gnail.com', 'gmail.com'],
  ['gmail.con', 'gmail.com'],
  ['gmail.co', 'gmail.com'],
  ['gmail.de', 'gmail.com'],
  ['gmail', 'gmail.com'],
  ['gmial.con', 'gmail.com'],
  ['hotmial.com', 'hotmail.com'],
  ['hormial.com', 'hotmail.com'],
  ['hotmail.cm', 'hotmail.com'],
  ['hotmal.fr', 'hotmail.fr'],
  ['yaho.com', 'yahoo.com'],
  ['yahoo.co.kr.con', 'yahoo.co.kr.com'],
  ['outlok.com', 'outlook.com'],
  ['iclod.com', 'icloud.com'],
  ['t-onlin.de', 't-online.de'],
  ['orage.fr', 'orange.fr'],
  ['libro.it', 'libero.it'],
  ['zigo.nl', 'ziggo.nl'],
  ['yahooo.co.jp', 'yahoo.co.jp'],
  ['my-shop.con', 'my-shop.com'],
])('%s was probably meant to be %s', (domain, meant) => {
  expect(suggestDomain(domain)).toBe(meant);
});

it.each([
  ...['gmail.com', 'mail.com', 'email.com', 'ymail.com', 'yahoo.de', 'hotmail.be', 'outlook.pt', 'live.nl', 'gmx.at'],
  ...['orange.pl', 't-online.hu', 'web.dev', 'home.pl', 'wp.pl', 'qq.com', '163.com', '126.com', 'aol.de', 'me.com'],
  ...['acme.com', 'acme.co', 'small.com', 'global.com', 'xn--mnchen-3ya.de', '', '.', 'a', 'co.uk'],
])('%j may be correct', (domain) => {
  expect(suggestDomain(domain)).toBeUndefined();
});

it.each(['g', 'gmail', 'gmail.c', 'gmail.co', 'yahoo.co', 'hotmail.c'])(
  '%s may become a listed domain while it is typed',
  (domain) => {
    expect(suggestDomain(domain, false)).toBeUndefined();
  },
);

it('suggests a correction during typing if the domain can no longer become valid', () => {
  expect(suggestDomain('gmial.com', false)).toBe('gmail.com');
});

it('is fast for long input', () => {
  expect(suggestDomain('gmail'.repeat(10_000))).toBeUndefined();
});
