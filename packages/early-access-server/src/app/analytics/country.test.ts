import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { readCountry } from './country.ts';

it.each([
  ['DE', 'DE'],
  [' de ', 'DE'],
  ['XK', 'XK'],
  // Cloudflare: unknown, and Tor.
  ['XX', null],
  ['T1', null],
  // App Engine: unknown.
  ['ZZ', null],
  ['AA', null],
  ['QQ', null],
  ['DEU', null],
  ['', null],
  [undefined, null],
])('of %j is %j', (header, country) => {
  expect(readCountry(header)).toBe(country);
});

it('is two capital letters or null, whatever a header says', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 4 }), (header) => {
      expect(readCountry(header) ?? 'DE').toMatch(/^[A-Z]{2}$/);
    }),
  );
});
