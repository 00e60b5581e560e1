import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { sqliteStore } from '../sqlite-store.ts';
import { startIndexing } from './index-addresses.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Indexing that adds these numbers of addresses, one in each step, or fails. */
function harness(steps: readonly (number | Error)[]) {
  const [left, log] = [[...steps], vi.fn()];
  const addSome = vi.fn(async (_limit: number) => {
    const step = left.shift() ?? 0;
    if (step instanceof Error) throw step;
    return step;
  });
  const stop = startIndexing(addSome, log);
  onTestFinished(stop);
  return { addSome, log, stop };
}

it('adds 250 addresses every 20 ms, and looks again after a minute', async () => {
  const { addSome } = harness([250, 3]);
  await later(0);
  expect(addSome).toHaveBeenCalledExactlyOnceWith(250);
  await later(19);
  expect(addSome).toHaveBeenCalledTimes(1);
  await later(1);
  await later(20);
  expect(addSome).toHaveBeenCalledTimes(3);
  await later(59_999);
  expect(addSome).toHaveBeenCalledTimes(3);
  await later(1);
  expect(addSome).toHaveBeenCalledTimes(4);
});

it('logs why a step failed, and tries again after a minute', async () => {
  const { addSome, log } = harness([250, new Error('disk full'), 7, 0]);
  await later(0);
  await later(20);
  expect(log.mock.calls).toEqual([['warn', 'search-indexing-failed', { reason: 'disk full' }]]);
  await later(59_999);
  expect(addSome).toHaveBeenCalledTimes(2);
  await later(1);
  await later(20);
  expect(addSome).toHaveBeenCalledTimes(4);
  expect(log).toHaveBeenCalledOnce();
});

it('stops, also during a step', async () => {
  const waiting = harness([250]);
  waiting.stop();
  expect(vi.getTimerCount()).toBe(0);
  const step = Promise.withResolvers<number>();
  const stop = startIndexing(() => step.promise, vi.fn());
  await later(0);
  stop();
  step.resolve(250);
  await later(0);
  expect(vi.getTimerCount()).toBe(0);
});

it('commits nothing without work, because a commit tells whether the database is healthy', async () => {
  const store = sqliteStore({ file: join(tempFolder(), 'idle.sqlite') });
  onTestFinished(() => store.close());
  const started = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => void started.mockRestore());
  await later(60_000);
  await new Promise(setImmediate);
  expect(started).not.toHaveBeenCalled();
});

it('ends when the store is closed', async () => {
  const log = vi.fn();
  sqliteStore({ file: join(tempFolder(), 'closed.sqlite'), log }).close();
  await later(60_000);
  expect(log).not.toHaveBeenCalled();
});
