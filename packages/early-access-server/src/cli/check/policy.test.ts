import { expect, it } from 'vitest';
import { allowsByTag, allowsSource } from './policy.ts';

const PAGE = new URL('https://www.acme.example/join');
const CONNECT = ['connect-src', 'default-src'];
const api = (url: string) => new URL(url);

/** The matching rules are section 6.7.2 of CSP Level 3. */
it.each([
  ["connect-src 'self'", 'https://www.acme.example/api', true],
  ["connect-src 'self'", 'https://early.acme.example/api', false],
  ["default-src 'none'", 'https://early.acme.example/api', false],
  ["default-src 'none'; connect-src *", 'https://early.acme.example/api', true],
  ['img-src https:', 'https://early.acme.example/api', true],
  ['connect-src https:', 'https://early.acme.example/api', true],
  ['connect-src https:', 'http://early.acme.example/api', false],
  ['connect-src http:', 'https://early.acme.example/api', true],
  ['connect-src early.acme.example', 'https://early.acme.example/api', true],
  ['connect-src early.acme.example', 'http://early.acme.example/api', false],
  ['connect-src http://early.acme.example', 'https://early.acme.example/api', true],
  ['connect-src *.acme.example', 'https://early.acme.example/api', true],
  ['connect-src *.acme.example', 'https://acme.example/api', false],
  ['connect-src https://early.acme.example:443', 'https://early.acme.example/api', true],
  ['connect-src https://early.acme.example:8443', 'https://early.acme.example/api', false],
  ['connect-src https://early.acme.example:*', 'https://early.acme.example:8443/api', true],
  ['connect-src https://early.acme.example/api/', 'https://early.acme.example/api/signups', true],
  ['connect-src https://early.acme.example/api', 'https://early.acme.example/api/signups', false],
  ['CONNECT-SRC HTTPS://EARLY.ACME.EXAMPLE', 'https://early.acme.example/api', true],
  ['connect-src', 'https://early.acme.example/api', false],
])('%s lets a page request %s: %s', (policy, url, expected) => {
  expect(allowsSource([policy], CONNECT, api(url), PAGE)).toBe(expected);
});

it('needs every policy to allow it', () => {
  expect(allowsSource(['connect-src *', "connect-src 'self'"], CONNECT, api('https://x.example/'), PAGE)).toBe(false);
  expect(allowsSource([], CONNECT, api('https://x.example/'), PAGE)).toBe(true);
});

it('knows policies that name scripts by their tag', () => {
  expect(allowsByTag(["script-src 'nonce-abc'"])).toBe(true);
  expect(allowsByTag(["default-src 'sha256-abc='"])).toBe(true);
  expect(allowsByTag(["script-src 'self'; style-src 'nonce-abc'"])).toBe(false);
});
