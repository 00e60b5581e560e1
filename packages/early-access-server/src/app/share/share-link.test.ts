import { signupOf } from '@early-access-kit/testkit/records';
import { expect, it } from 'vitest';
import { describeShare } from './describe-share.ts';
import {
  decideCredit,
  MAX_SHARED_PER_DOMAIN,
  MAX_SHARED_PER_HOUR,
  MAX_SHARED_PER_NETWORK,
  newShareCode,
  type Referral,
  shareNetwork,
  shareUrl,
} from './share-link.ts';

const REFERRAL: Referral = {
  friend: 'a',
  referrer: 'b',
  isKnown: false,
  isRepeated: false,
  signups: 1,
  ofDomain: 1,
  ofNetwork: 1,
};

it.each<[string, Partial<Referral>, ReturnType<typeof decideCredit>]>([
  ['a new friend', {}, 'counted'],
  ['a new friend, of as many as may sign up in an hour', { signups: MAX_SHARED_PER_HOUR }, 'counted'],
  ['a new friend, of more', { signups: MAX_SHARED_PER_HOUR + 1 }, 'held'],
  ['a new friend, of as many of their domain', { ofDomain: MAX_SHARED_PER_DOMAIN }, 'counted'],
  ['a new friend, of more of their domain', { ofDomain: MAX_SHARED_PER_DOMAIN + 1 }, 'held'],
  ['a new friend, of as many of their network', { ofNetwork: MAX_SHARED_PER_NETWORK }, 'counted'],
  ['a new friend, of more of their network', { ofNetwork: MAX_SHARED_PER_NETWORK + 1 }, 'held'],
  ['a new friend, whose network is not known', { ofNetwork: 0 }, 'counted'],
  ['oneself', { friend: 'b' }, null],
  ['someone who was on the list before', { isKnown: true }, null],
  ['someone who has brought credit', { isRepeated: true, signups: MAX_SHARED_PER_HOUR + 1 }, null],
])('the credit for %s', (_, changes, credit) => {
  expect(decideCredit({ ...REFERRAL, ...changes })).toBe(credit);
});

it.each([
  ['198.51.100.7', '198.51.100.250', true],
  ['198.51.100.7', '198.51.101.7', false],
  ['198.51.100.7', '::ffff:198.51.100.9', true],
  ['2001:db8:1:2::1', '2001:db8:1:ffff::9', true],
  ['2001:db8:1:2::1', '2001:db8:2:2::1', false],
  ['198.51.100.7', undefined, false],
])('clients %s and %s have the same network: %s', (one, other, same) => {
  const shared = { ...signupOf(), utm_source: 'share' };
  const network = shareNetwork(shared, one);
  expect(network).toMatch(/^[0-9a-f]{4}$/);
  expect(shareNetwork(shared, other) === network).toBe(same);
  expect(shareNetwork(signupOf({ utm_source: 'newsletter' }), one)).toBeNull();
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
