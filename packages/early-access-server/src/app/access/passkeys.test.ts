import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { findPasskeySite, isCounterValid } from './passkeys.ts';

it.each([
  ['https://www.acme.example/start', 'https://evil.example', 'www.acme.example'],
  ['http://localhost:4173', undefined, 'localhost'],
  [null, 'http://localhost:4173', 'localhost'],
  [null, 'http://evil.example', undefined],
  [null, 'http://127.0.0.1:4173', undefined],
  [null, 'http://[::1]:4173', undefined],
  ['http://192.0.2.1', undefined, undefined],
  [null, undefined, undefined],
  [null, 'null', undefined],
])('findPasskeySite of %s at %s is %s', (publicUrl, origin, domain) => {
  expect(findPasskeySite(publicUrl === null ? null : new URL(publicUrl), origin)?.domain).toBe(domain);
});

it('a counter goes up, or is none', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (stored, given) => {
      expect(isCounterValid(stored, given)).toBe(stored === 0 && given === 0 ? true : given > stored);
    }),
  );
});
