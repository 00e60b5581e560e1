import { expect, it, vi } from 'vitest';
import { countStepsPerTurn } from '../../fixtures/loop-turns.ts';
import { inSlices, SLICE_MS } from './time-slices.ts';

const numbers = Array.from({ length: 20 }, (_, index) => index);

/** Waits for promises only. */
async function* generated() {
  yield* numbers;
}

it.each([
  ['a list', () => numbers, SLICE_MS / 4, 4],
  ['a list of long steps', () => numbers, SLICE_MS * 3, 1],
  ['a list of short steps', () => numbers, SLICE_MS / 100, 20],
  ['a generator', generated, SLICE_MS / 4, 4],
])('lets the event loop turn once a slice of %s is full', async (_, items, stepMs, expected) => {
  const { step, most } = countStepsPerTurn(stepMs);
  const passed = [];
  for await (const item of inSlices(items())) {
    passed.push(item);
    step();
  }
  expect([passed, most()]).toEqual([numbers, expected]);
});

it('closes the items if its reader stops', async () => {
  const closed = vi.fn();
  async function* endless() {
    try {
      for (;;) yield 1;
    } finally {
      closed();
    }
  }
  for await (const _item of inSlices(endless())) break;
  expect(closed).toHaveBeenCalledOnce();
});
