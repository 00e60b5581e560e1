import { describe, expect, it } from 'vitest';
import { COLUMNS, freeMinutes, minutes, PITCH } from './dots.ts';

/** Returns the positions of a path's dots as numbers on the sheet. */
function readDots(path: string): number[] {
  return [...path.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)/g)].flatMap(([, x, y, length]) => {
    const first = ((Number(y) - PITCH / 2) / PITCH) * COLUMNS + (Number(x) - PITCH / 2) / PITCH;
    return Array.from({ length: Math.floor(Number(length) / PITCH) + 1 }, (_, dot) => first + dot);
  });
}

const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('the dots of a day', () => {
  it.each([
    [0, 1],
    [0, 240],
    [240, 360],
    [2, 3],
    [17, 43],
  ])('are one for every minute from %i to %i', (from, to) => {
    expect(readDots(minutes(from, to))).toEqual(numbered(from, to));
  });

  it('appear in the picture exactly once, except for the spent ones', () => {
    const dots = freeMinutes(3, 360).flatMap(({ path }) => readDots(path));
    expect(dots.toSorted((a, b) => a - b)).toEqual(numbered(3, 360));
  });
});
