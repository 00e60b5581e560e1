import { expect, test } from 'vitest';
import { axisSteps } from './axis-steps.ts';
import { MEASURES } from './figures.ts';

test.each([
  [95, 'visitors', 4, [0, 25, 50, 75, 100]],
  [11, 'signups', 2, [0, 6, 12]],
  [0, 'visitors', 4, [0, 1]],
  [1, 'signups', 2, [0, 1]],
  [1_234, 'sessions', 4, [0, 400, 800, 1_200, 1_600]],
  [0.0311, 'conversion', 4, [0, 0.008, 0.016, 0.024, 0.032]],
  [1, 'bounces', 4, [0, 0.25, 0.5, 0.75, 1]],
  [171, 'duration', 4, [0, 60, 120, 180]],
] as const)('an axis up to %d %s with %d numbers', (highest, measure, most, steps) => {
  expect(axisSteps(highest, measure, most).map((step) => Number(step.toPrecision(6)))).toEqual(steps);
});

test('the last number is the highest value, or less than a step above it', () => {
  for (const measure of MEASURES) {
    for (const most of [2, 4, 6]) {
      for (let highest = 2; highest < 10_000_000; highest = Math.ceil(highest * 1.07)) {
        const steps = axisSteps(highest, measure, most);
        expect(steps.length).toBeLessThanOrEqual(most + 1);
        expect(steps.at(-1)).toBeGreaterThanOrEqual(highest);
        expect(steps.at(-2)).toBeLessThan(highest);
      }
    }
  }
});
