import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { findMeantLink, isIntact, type LinkPage, linkTarget, readLinkToken, TOKEN_OF_LINK } from './meant-link.ts';

const TOKEN = 'aB3-_'.repeat(9).slice(0, 43);
const PAGES: readonly LinkPage[] = ['confirm', 'unsubscribe', 'status', 'invite', 'admin'];

const page = fc.constantFrom(...PAGES);
const token = fc.stringMatching(/^[\w-]{43}$/);
const words = fc.stringMatching(/^[\w.~-]{0,20}$/);
const tracking = fc
  .tuple(fc.constantFrom('utm_source', 'mc_eid', 'fbclid', 'utm_token', 'x'), words)
  .map((pair) => pair.join('='));

/** Changes that filters and mail programs make to a link, each a function of the URL after its origin. */
const mangling: fc.Arbitrary<(link: string) => string> = fc.oneof(
  fc.constant((link: string) => link.replaceAll('#', '%23')),
  fc.constant((link: string) => link.replaceAll('%', '%25')),
  fc.constant((link: string) => link.replace(/[#?&=]/g, encodeURIComponent)),
  fc.constant((link: string) => link.replaceAll('&', '&amp;')),
  fc.constant((link: string) => link.replace(/%[\da-f]{2}/gi, (code) => code.toLowerCase())),
  fc.constant((link: string) => link.replace(/%[\da-f]{2}/gi, (code) => code.toUpperCase())),
  fc.constant((link: string) => link.replace(/^(\/\w+)/, '$1/')),
  fc.constant((link: string) => link.replace(/^\//, '//')),
  fc.constant((link: string) => link.replace('=', '=3D')),
  tracking.map((pair) => (link: string) => link.replace(/(?=[#?%]|$)/, `?${pair}&`)),
  tracking.map((pair) => (link: string) => `${link}&${pair}`),
  tracking.map((pair) => (link: string) => `${link}?${pair}`),
  fc
    .constantFrom('.', ',', ')', '>', ']', '"', '%3E', '%22', '%20', ';', '…')
    .map((end) => (link: string) => link + end),
);

/** The request that a browser makes of a link, and the fragment that it keeps. */
function split(link: string): { readonly target: string; readonly fragment: string } {
  const [target = '', ...fragment] = link.split('#');
  return { target, fragment: fragment.join('#') };
}

/** The token as the page gets it: in the redirect, or in the fragment. */
function arrive(link: string) {
  const { target, fragment } = split(link);
  const meant = findMeantLink(target);
  return { page: meant?.page, token: meant?.token ?? TOKEN_OF_LINK.exec(`#${fragment}`)?.[1] ?? null };
}

describe('a link that a filter has changed', () => {
  it('leads to its page with its token, after any changes in any order', () => {
    fc.assert(
      fc.property(page, token, fc.array(mangling, { maxLength: 4 }), (page, token, changes) => {
        const link = changes.reduce((changed, change) => change(changed), linkTarget({ page, token }));
        expect(arrive(link)).toEqual({ page, token });
      }),
      { numRuns: 1_000 },
    );
  });

  it('leads to its page if the token is gone, or cut', () => {
    fc.assert(
      fc.property(page, token, fc.nat(30), fc.array(mangling, { maxLength: 3 }), (page, token, length, changes) => {
        const cut = linkTarget({ page, token }).replace(token, token.slice(0, length));
        const link = changes.reduce((changed, change) => change(changed), cut);
        expect(arrive(link)).toEqual({ page, token: null });
        expect(arrive(split(link).target).page).toBe(page);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [`/confirm%23token=${TOKEN}`, { page: 'confirm', token: TOKEN }],
    [`/confirm%2523token%253D${TOKEN}`, { page: 'confirm', token: TOKEN }],
    [`/confirm/%23token=${TOKEN}`, { page: 'confirm', token: TOKEN }],
    [`/confirm/token=${TOKEN}`, { page: 'confirm', token: TOKEN }],
    [`/confirmtoken=${TOKEN}`, { page: 'confirm', token: TOKEN }],
    [`/confirm?token=${TOKEN}`, { page: 'confirm', token: TOKEN }],
    [`/confirm%3Ftoken=${TOKEN}`, { page: 'confirm', token: TOKEN }],
    [`/confirm?utm_token=${TOKEN}`, { page: 'confirm', token: null }],
    [`/confirm&utm_source=x`, { page: 'confirm', token: null }],
    [`/confirm?x=1#`, { page: 'confirm', token: null }],
    ['/confirm', { page: 'confirm', token: null }],
    ['/confirm/', { page: 'confirm', token: null }],
    ['/confirm.', { page: 'confirm', token: null }],
    ['/confirm%E2%80%9D', { page: 'confirm', token: null }],
    ['/confirm%', { page: 'confirm', token: null }],
    ['/confirm%ff%23', { page: 'confirm', token: null }],
    ['/confirm/%ff%2F%2e', { page: 'confirm', token: null }],
    ['/confirm/___', { page: 'confirm', token: null }],
    [`/confirm//\\token=${TOKEN}`, { page: 'confirm', token: TOKEN }],
    [`/confirm/${'%25'.repeat(3)}23token=${TOKEN}`, { page: 'confirm', token: TOKEN }],
    [`/CONFIRM?TOKEN=${TOKEN}`, { page: 'confirm', token: TOKEN }],
    [`/invite%23invite=${TOKEN}`, { page: 'invite', token: TOKEN }],
    [`/api/unsubscribe?token=${TOKEN}`, { page: 'unsubscribe', token: TOKEN }],
    [`/unsubscribe?utm=1&amp;token=${TOKEN}`, { page: 'unsubscribe', token: TOKEN }],
  ])('%s', (target, meant) => expect(findMeantLink(target)).toEqual(meant));

  it.each([
    '/',
    '/confirmation',
    '/confirm-email',
    '/confirm_x',
    '/confirm/x',
    '/confirm/x?token=1',
    '/confirm/x/token=1',
    '/confirm/x._-',
    '/confirm/%78%ff',
    '/status.json',
    '/status/%E6%97%A5',
    '/invite/friends',
    '/invite/-x',
    '/admin/people',
    `/admin/people?query=token%3D${TOKEN}`,
    '/administration',
    '/unsubscribe/x',
    '/x/confirm',
    '/api/confirm',
    '/api/status',
    `/join?token=${TOKEN}`,
  ])('is none of a host’s own paths, such as %s', (target) => expect(findMeantLink(target)).toBeNull());

  it.each([
    [`/unsubscribe?token=${TOKEN}`, true],
    [`/unsubscribe/?utm=x&token=${TOKEN}`, true],
    [`/unsubscribe%3Ftoken=${TOKEN}`, false],
    [`/unsubscribe?x%26token=${TOKEN}`, false],
    ['/unsubscribe', true],
    ['/confirm', true],
    ['/confirm/', true],
    ['/confirm/?utm=x', true],
    ['/Confirm', false],
    ['//confirm', false],
    ['/confirm.', false],
    [`/confirm?token=${TOKEN}`, false],
  ])('%s can be served as it is: %s', (target, isAsSent) => {
    const meant = findMeantLink(target);
    expect(meant && isIntact(target, meant)).toBe(isAsSent);
  });

  it.each([
    [{ page: 'invite', token: TOKEN }, `/invite#invite=${TOKEN}`],
    [{ page: 'confirm', token: TOKEN }, `/confirm#token=${TOKEN}`],
    [{ page: 'unsubscribe', token: TOKEN }, `/unsubscribe?token=${TOKEN}`],
    [{ page: 'unsubscribe', token: null }, '/unsubscribe'],
    [{ page: 'status', token: null }, '/status'],
  ] as const)('%j is written as %s', (link, target) => expect(linkTarget(link)).toBe(target));

  it('takes bounded work to read', () => {
    for (const part of ['%25', '/', '%', '=', 'token=', `&token=${'a'.repeat(42)}`, '%2525']) {
      expect(findMeantLink(`/confirm${part.repeat(1_000_000 / part.length)}`)).toMatchObject({ token: null });
    }
  });
});

it('reads the token of a query or a fragment', () => {
  for (const text of [
    `token=${TOKEN}`,
    `#token=${TOKEN}.`,
    `#35;token=${TOKEN}`,
    `#token%3d${TOKEN}&utm_source=x`,
    `?x=1&token=3D${TOKEN}`,
  ])
    expect(readLinkToken(text)).toBe(TOKEN);
  for (const text of ['', 'token=', `xtoken=${TOKEN}`, `token=${TOKEN}x`, TOKEN])
    expect(readLinkToken(text)).toBeNull();
});
