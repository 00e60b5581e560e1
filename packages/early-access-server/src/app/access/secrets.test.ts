import { expect, it } from 'vitest';
import { hashToken, isApiKey, isSameSecret, isToken, newApiKey, newToken, sha256 } from './secrets.ts';

it('a token is 43 characters of base64url, and no two are the same', () => {
  const tokens = Array.from({ length: 100 }, newToken);
  expect(new Set(tokens).size).toBe(100);
  expect(tokens.every(isToken)).toBe(true);
  const [token = ''] = tokens;
  for (const other of [`${token}x`, `x${token}`, token.slice(1), `${token.slice(1)}+`, '', undefined, 7, [token]]) {
    expect(isToken(other)).toBe(false);
  }
});

it('a key is a token with a prefix', () => {
  const key = newApiKey();
  expect(key).toMatch(/^eak_[\w-]{43}$/);
  expect(isApiKey(key)).toBe(true);
  for (const other of [key.slice(4), `xxx_${key.slice(4)}`, `${key}x`, 'eak_', '']) expect(isApiKey(other)).toBe(false);
});

it('only the SHA-256 of a token is stored', () => {
  // The first example of FIPS 180-2.
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect([hashToken('abc'), sha256('abc')]).toEqual([digest, digest]);
});

it('isSameSecret compares texts of any length', () => {
  expect(isSameSecret('secret', 'secret')).toBe(true);
  expect(isSameSecret('secret', 'secret ')).toBe(false);
  expect(isSameSecret('', 'secret')).toBe(false);
});
