import { expect, it } from 'vitest';
import { pauseAfter } from './pause.ts';

it('rests longer the more is refused, up to a minute', () => {
  expect([0, 1, 2, 3, 40].map(pauseAfter)).toEqual([0, 1_000, 2_000, 4_000, 60_000]);
});
