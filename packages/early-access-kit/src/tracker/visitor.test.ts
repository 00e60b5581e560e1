// @vitest-environment jsdom
import { fc } from '@early-access-kit/testkit/fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { hash, visitorHash } from './visitor.ts';

afterEach(() => vi.restoreAllMocks());

it.each([
  ['', '811c9dc5'],
  ['a', 'e40c292c'],
  ['foobar', 'bf9cf968'],
])('the hash of %j is its FNV-1a hash', (text, expected) => {
  expect(hash(text)).toBe(expected);
});

it('any text has a stable id that stores accept', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(hash(text)).toMatch(/^[\da-f]{8}$/);
      expect(hash(text)).toBe(hash(text));
    }),
  );
});

it('similar texts have different ids', () => {
  const ids = new Set(Array.from({ length: 1_000 }, (_, index) => hash(`Mozilla/5.0 Chrome/${index}.0,en,8`)));
  expect(ids.size).toBe(1_000);
});

it('the id of a visitor depends only on the traits', () => {
  const id = visitorHash();
  expect(visitorHash()).toBe(id);
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('fi');
  expect(visitorHash()).not.toBe(id);
});

it('rotating the device changes nothing', () => {
  const { width, height } = { width: 390, height: 844 };
  const [screenWidth, screenHeight] = [vi.spyOn(screen, 'width', 'get'), vi.spyOn(screen, 'height', 'get')];
  screenWidth.mockReturnValue(width);
  screenHeight.mockReturnValue(height);
  const upright = visitorHash();
  screenWidth.mockReturnValue(height);
  screenHeight.mockReturnValue(width);
  expect(visitorHash()).toBe(upright);
});
