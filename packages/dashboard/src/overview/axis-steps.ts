import type { Measure } from './figures.ts';

/** Steps of a numeric axis, the same in each decade. */
const NUMBERS = [1, 2, 2.5, 3, 4, 5, 6, 8] as const;
/** Steps in seconds that read well as minutes and hours. */
const SECONDS = [
  1, 2, 5, 10, 15, 20, 30, 60, 90, 120, 180, 300, 600, 900, 1_200, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400,
];

/**
 * The axis labels from 0 up, with at most `most` steps. The last one is the first step at or above the highest value,
 * so that a label is always near it. Counts get no fractions, and shares end at 100% unless a value is higher.
 */
export function axisSteps(highest: number, measure: Measure, most: number): readonly number[] {
  const steps = measure === 'duration' ? SECONDS : numberSteps(measure === 'conversion' || measure === 'bounces');
  const step = steps.find((candidate) => candidate * most >= highest) ?? highest;
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, index) => step * index);
}

function numberSteps(isShare: boolean): readonly number[] {
  const decades = isShare ? [-3, -2, -1, 0, 1, 2] : [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const steps = decades.flatMap((power) => NUMBERS.map((step) => Number((step * 10 ** power).toPrecision(2))));
  return isShare ? steps : steps.filter(Number.isInteger);
}
