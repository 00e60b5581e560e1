import { describe, expect, it } from 'vitest';
import { ENCODINGS, negotiateEncoding } from './negotiate.ts';

describe('negotiateEncoding', () => {
  const all = new Set(ENCODINGS);

  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP;Q=0.5', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0.5, gzip', 'gzip'],
    ['*;q=0, gzip', 'gzip'],
    ['identity, br;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=0.4', 'identity'],
    ['deflate', 'identity'],
    ['br;q=0', 'identity'],
    ['br;q=nonsense, gzip;q=0.001', 'gzip'],
    ['br;q=2', 'identity'],
    [',;,=,;q=,', 'identity'],
    ['*;q=0', 'identity'],
  ])('chooses for %j: %s', (header, encoding) => {
    expect(negotiateEncoding(header, all)).toBe(encoding);
  });

  it('chooses only available encodings', () => {
    expect(negotiateEncoding('br, gzip', new Set(['identity']))).toBe('identity');
    expect(negotiateEncoding('br, gzip', new Set(['gzip', 'identity']))).toBe('gzip');
    expect(negotiateEncoding('identity;q=0, br', new Set(['identity']))).toBe('identity');
  });
});
