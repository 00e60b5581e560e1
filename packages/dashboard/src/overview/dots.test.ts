import { expect, test } from 'vitest';
import { layOutDots, stackDots } from './dots.ts';

test('each dot is one person as long as there is space', () => {
  expect(layOutDots({ width: 21, height: 120, highest: 60 })).toEqual({ people: 1, perRow: 3, rise: 6, pitch: 6 });
  expect(layOutDots({ width: 21, height: 120, highest: 2 })).toEqual({ people: 1, perRow: 1, rise: 60, pitch: 11 });
});

test('a dot stands for several people if there is less space', () => {
  const people = [60, 600, 6_000, 6_000_000].map((highest) => layOutDots({ width: 7, height: 80, highest }).people);
  expect(people).toEqual([5, 50, 500, 500_000]);
});

test('a stack is as high as its number on the axis, and dots never overlap', () => {
  for (const width of [1.5, 3, 7, 21, 40]) {
    for (const highest of [1, 2, 7, 30, 480, 12_000]) {
      const layout = layOutDots({ width, height: 90, highest });
      const dots = stackDots(highest, layout);
      const rows = new Set(dots.map(({ y }) => y)).size;
      expect(Math.abs(rows * layout.rise - 90)).toBeLessThanOrEqual(layout.rise);
      expect(layout.perRow * layout.pitch).toBeLessThanOrEqual(width + 0.001);
      for (const { radius } of dots) expect(2 * radius).toBeLessThan(Math.min(layout.pitch, layout.rise));
    }
  }
});

test('a partial dot has a proportional area', () => {
  const [whole, part] = stackDots(7, { people: 5, perRow: 2, rise: 8, pitch: 8 });
  expect((part?.radius ?? 0) ** 2 / (whole?.radius ?? 0) ** 2).toBeCloseTo(0.4);
});

test('zero people have no dots', () => {
  expect(stackDots(0, layOutDots({ width: 7, height: 80, highest: 1 }))).toEqual([]);
});
