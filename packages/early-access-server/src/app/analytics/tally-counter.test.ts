import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_TALLIES } from './analytics.ts';
import { tallyCounter } from './tally-counter.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function harness() {
  const addTallies = vi.fn(async () => {});
  const log = vi.fn();
  return { addTallies, log, counter: tallyCounter({ addTallies }, log) };
}

describe('tallyCounter', () => {
  it('stores what was counted ten seconds after the first, together', async () => {
    const { addTallies, counter } = harness();
    counter.count('robots');
    await vi.advanceTimersByTimeAsync(9_999);
    counter.count('robots');
    counter.count('human_refused');
    expect(addTallies).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(addTallies).toHaveBeenCalledExactlyOnceWith({ ...NO_TALLIES, robots: 2, human_refused: 1 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(addTallies).toHaveBeenCalledOnce();
    counter.count('human_missing');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(addTallies).toHaveBeenLastCalledWith({ ...NO_TALLIES, human_missing: 1 });
  });

  it('stores at once when asked to, and nothing if nothing was counted', async () => {
    const { addTallies, counter } = harness();
    await counter.flush();
    expect(addTallies).not.toHaveBeenCalled();
    counter.count('robots');
    await counter.flush();
    expect(addTallies).toHaveBeenCalledExactlyOnceWith({ ...NO_TALLIES, robots: 1 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('says what could not be stored, and counts on', async () => {
    const { addTallies, log, counter } = harness();
    addTallies.mockRejectedValueOnce(new Error('disk full'));
    counter.count('robots');
    await counter.flush();
    expect(log).toHaveBeenCalledExactlyOnceWith('warn', 'tallies-not-stored', { robots: 1, reason: 'disk full' });
    counter.count('robots');
    await counter.flush();
    expect(addTallies).toHaveBeenLastCalledWith({ ...NO_TALLIES, robots: 1 });
  });
});
