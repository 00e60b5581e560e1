import { expect, it } from 'vitest';
import { describeShare } from './describe-share.ts';
import {
  decideCredit,
  MAX_SHARED_PER_DOMAIN,
  MAX_SHARED_PER_HOUR,
  newShareCode,
  type Referral,
  shareUrl,
} from './share-link.ts';

const REFERRAL: Referral = { friend: 'a', referrer: 'b', isKnown: false, isRepeated: false, signups: 1, ofDomain: 1 };

it.each<[string, Partial<Referral>, ReturnType<typeof decideCredit>]>([
  ['a new friend', {}, 'counted'],
  ['a new friend, of as many as may sign up in an hour', { signups: MAX_SHARED_PER_HOUR }, 'counted'],
  ['a new friend, of more', { signups: MAX_SHARED_PER_HOUR + 1 }, 'held'],
  ['a new friend, of as many of their domain', { ofDomain: MAX_SHARED_PER_DOMAIN }, 'counted'],
  ['a new friend, of more of their domain', { ofDomain: MAX_SHARED_PER_DOMAIN + 1 }, 'held'],
  ['oneself', { friend: 'b' }, null],
  ['someone who was on the list before', { isKnown: true }, null],
  ['someone who has brought credit', { isRepeated: true, signups: MAX_SHARED_PER_HOUR + 1 }, null],
])('the credit for %s', (_, changes, credit) => {
  expect(decideCredit({ ...REFERRAL, ...changes })).toBe(credit);
});

it('a code is short, random and needs no escape in a URL', () => {
  const codes = new Set(Array.from({ length: 1_000 }, newShareCode));
  expect(codes.size).toBe(1_000);
  for (const code of codes) expect(code).toMatch(/^[\w-]{10}$/);
});

it('a link leads to the page, with the code as its campaign', () => {
  expect(shareUrl('https://acme.example/de/?a=1#form', 'abc')).toBe(
    'https://acme.example/de/?a=1&utm_source=share&utm_content=abc#form',
  );
});

it.each([
  ['https://acme.example/de/', 'https://acme.example/de/'],
  ['https://evil.example/', 'https://home.example/'],
  ['javascript:alert(1)', 'https://home.example/'],
  [null, 'https://home.example/'],
])('the page %s of a signup leads to %s', (page, expected) => {
  const link = { code: 'abc', page, confirmed: 2, held: 1 };
  const site = {
    homeUrl: 'https://home.example/',
    isOwnOrigin: (origin: string) => origin === 'https://acme.example',
  };
  const url = shareUrl(expected, 'abc');
  expect(describeShare(link, 7, site)).toEqual({ url, confirmed: 2, place: 7 });
  expect(describeShare(link, null, site)).toEqual({ url, confirmed: 2 });
});
