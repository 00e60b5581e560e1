import { describe, expect, it } from 'vitest';
import { readPublicUrl } from './head.ts';

describe('readPublicUrl', () => {
  it.each([
    [undefined, ''],
    ['', ''],
    ['https://printmargin.example', 'https://printmargin.example'],
    ['https://printmargin.example/', 'https://printmargin.example'],
    ['http://localhost:4173', 'http://localhost:4173'],
    ['https://printmargin.example/?a#b', 'https://printmargin.example'],
  ])('reads %s as "%s"', (value, address) => {
    expect(readPublicUrl(value)).toBe(address);
  });

  it.each(['printmargin.example', 'javascript:alert(1)', 'ftp://a.example', 'https://a.example/beta'])(
    'refuses %s',
    (value) => {
      expect(() => readPublicUrl(value)).toThrow(TypeError);
    },
  );
});
