import { signupOf } from '@early-access-kit/testkit/records';
import { MAX_BODY_BYTES } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import { appHarness, UNLIMITED_RATE_LIMITS } from '../../fixtures/app-harness.ts';

/** Runs of combining marks take quadratic time to normalise. */
const MARKS = '\u0300\u0323';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ADDRESS_BYTES = MAX_BODY_BYTES - 1_000;
/** Node ends a request with headers of more than 16 KiB. */
const HEADER_BYTES = 15_000;

/** How often slow requests are repeated. */
const MAX_ROUNDS = 50;

const filled = (piece: string, bytes: number) => piece.repeat(bytes / Buffer.byteLength(piece));
/** A header holds ASCII only; hosts of URLs are decoded before they are normalised. */
const filledHeader = (piece: string) => filled(encodeURIComponent(piece), HEADER_BYTES);

interface Hostile {
  readonly path: string;
  readonly body: (piece: string) => unknown;
  readonly headers?: (piece: string) => Record<string, string>;
}

const ROUTES: readonly [string, Hostile][] = [
  ['the address of a signup', { path: 'signups', body: (piece) => signupOf({ email: filled(piece, ADDRESS_BYTES) }) }],
  ['the address of a mail', { path: 'welcome-email', body: (piece) => ({ email: filled(piece, ADDRESS_BYTES) }) }],
  ["the admin's address", { path: 'summary', body: (piece) => ({ admin_email: filled(piece, ADDRESS_BYTES) }) }],
  [
    'the address in a form',
    {
      path: 'signup-form',
      // Not percent-encoded as by a browser, so that more characters fit.
      body: (piece) => `email=${filled(piece, ADDRESS_BYTES)}`,
      headers: () => FORM,
    },
  ],
  [
    'the page of a form',
    {
      path: 'signup-form',
      body: () => 'email=me%40example.org',
      headers: (piece) => ({ ...FORM, referer: `http://a${filledHeader(piece)}/` }),
    },
  ],
  [
    'the X-Forwarded-For header',
    { path: 'summary', body: () => ({}), headers: (piece) => ({ 'x-forwarded-for': filledHeader(piece) }) },
  ],
  [
    'the origin',
    { path: 'sessions', body: () => ({}), headers: (piece) => ({ origin: `https://a${filledHeader(piece)}` }) },
  ],
];

it.each(ROUTES)('%s takes about the same time for hostile as for plain text', async (_, { path, body, headers }) => {
  const { post } = appHarness({
    rateLimits: UNLIMITED_RATE_LIMITS,
    trustProxy: 1,
    allowedOrigins: ['https://*.acme.test'],
  });
  /** Measures three requests. */
  async function milliseconds(piece: string): Promise<number> {
    const started = performance.now();
    for (let turn = 0; turn < 3; turn += 1)
      await post(`/api/${path}`, body(piece), { headers: headers?.(piece) ?? {} });
    return performance.now() - started;
  }
  const plain: number[] = [];
  for (let round = 0; round < 3; round += 1) plain.push(await milliseconds('a'));
  const limit = 10 * Math.max(Math.min(...plain), 1);
  for (const piece of [MARKS, '@.', '[', '1.']) {
    // Other load on the machine only adds time, so once is enough. What takes quadratic time is never that fast.
    let fastest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < MAX_ROUNDS && fastest >= limit; round += 1) {
      fastest = Math.min(fastest, await milliseconds(piece));
    }
    expect(fastest).toBeLessThan(limit);
  }
});
