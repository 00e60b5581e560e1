import { expect, it } from 'vitest';
import { cached } from './summary.ts';

function counting() {
  const state = { now: 0, reads: 0, failing: false };
  const read = cached(
    async () => {
      state.reads += 1;
      if (state.failing) throw new Error('down');
      return state.reads;
    },
    60,
    () => state.now,
  );
  return { state, read };
}

it('reads again after `maxAgeMs`, once for all concurrent callers', async () => {
  const { state, read } = counting();
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  state.now = 59;
  expect(await read()).toBe(1);
  state.now = 60;
  expect(await read()).toBe(2);
});

it('rejects for all concurrent callers if the read fails, and does not cache the failure', async () => {
  const { state, read } = counting();
  state.failing = true;
  const results = await Promise.allSettled([read(), read()]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  state.failing = false;
  expect(await read()).toBe(2);
});

it('keeps a result if an earlier read fails afterwards', async () => {
  const [first, second] = [Promise.withResolvers<string>(), Promise.resolve('second')];
  const results = [first.promise, second];
  const clock = { now: 0 };
  const read = cached(
    () => results.shift() ?? Promise.reject(new Error('read again')),
    60,
    () => clock.now,
  );
  const failing = read();
  clock.now = 60;
  expect(await read()).toBe('second');
  first.reject(new Error('down'));
  await expect(failing).rejects.toThrow('down');
  expect(await read()).toBe('second');
});

it('reads again if the clock is set back', async () => {
  const { state, read } = counting();
  state.now = 1_000;
  expect(await read()).toBe(1);
  state.now = 1_001;
  expect(await read()).toBe(1);
  state.now = 900;
  expect(await read()).toBe(2);
});
