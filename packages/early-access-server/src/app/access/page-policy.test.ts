import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { allowsByTag, allowsSource, findBlocked, findBlockedInStyle } from './page-policy.ts';

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

const STRICT =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'";

it.each([
  ['<script>run()</script>', 'script-src inline'],
  ['<script type=module>run()</script>', 'script-src inline'],
  ['<script type="application/json">{}</script>', ''],
  ['<script src="/own.js"></script><script src="own.js" defer></script>', ''],
  ['<script src="https://www.acme.example/own.js"></script>', ''],
  ['<script src=//cdn.example/a.js></script>', 'script-src https://cdn.example'],
  ['<body onload="run()">', 'script-src inline'],
  ['<p style="margin: 0">', 'style-src inline'],
  ['<style>@import url("https://fonts.example/css")</style>', 'style-src inline, style-src https://fonts.example'],
  [
    '<style>i { background: url(https://cdn.example/i.png); mask: url(#m) }</style>',
    'style-src inline, img-src https://cdn.example',
  ],
  ['<link rel="shortcut icon" href="https://cdn.example/i.png">', 'img-src https://cdn.example'],
  ['<link rel="icon" href="data:,"><link rel="canonical" href="https://acme.example">', ''],
  ['<a href="https://other.example" title="a > b">Other</a>', ''],
  ['<img srcset="/a.png 1x, https://cdn.example/b.png 2x">', 'img-src https://cdn.example'],
  ['<iframe src="https://video.example/1">', 'frame-src https://video.example'],
  ['<form action="https://early.example.com/api/signup-form">', 'form-action https://early.example.com'],
  ['<base href="/app/">', 'base-uri https://www.acme.example'],
  ['<!-- <script>run()</script> --><textarea><style></style></textarea>', ''],
])('a strict policy blocks of %s: %s', (html, blocked) => {
  expect(findBlocked(html, [STRICT], PAGE).join(', ')).toBe(blocked);
  expect(findBlocked(html, ["frame-ancestors 'none'"], PAGE)).toEqual([]);
  expect(findBlocked(html, [], PAGE)).toEqual([]);
});

it('reads the fonts, pictures and imports of a stylesheet', () => {
  const css = `/* url(https://no.example) */ @import "https://a.example/x.css"; @font-face { src: url('https://b.example/f.woff2') }
    p { background: url(https://c.example/c.png) }`;
  expect(findBlockedInStyle(css, [STRICT], PAGE)).toEqual([
    'style-src https://a.example',
    'font-src https://b.example',
    'img-src https://c.example',
  ]);
});

it('never fails, and blocks nothing under a policy that allows everything', () => {
  const open = "default-src * data: blob: 'unsafe-inline'; base-uri *; form-action *";
  const part = fc.constantFrom(
    '<script',
    '<style>',
    '</style>',
    ' src="',
    "https://x.example/'",
    '>',
    '<img srcset=',
    'url(',
    '@import ',
    'data:,',
    '<!--',
    ' style=',
    ' onload=',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string({ maxLength: 6 })), { maxLength: 30 }), (parts) => {
      const policies = parts.join('').includes(':') ? ["frame-ancestors 'none'"] : [open];
      expect(findBlocked(parts.join(''), policies, PAGE)).toEqual([]);
      expect(Array.isArray(findBlocked(parts.join(''), [STRICT], PAGE))).toBe(true);
    }),
  );
});
