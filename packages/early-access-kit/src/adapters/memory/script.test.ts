import { expect, it, vi } from 'vitest';
import type { StorageAdapter, StorageCall } from '../../core/adapter.ts';
import { StorageError } from '../../core/errors.ts';
import { getFailureCode } from '../../testing/contract.ts';
import { exampleSession, exampleSignup, exampleUpdate } from '../../testing/examples.ts';
import { type MemoryScript, memoryAdapter, memoryStore } from '../memory.ts';

const ADMIN = 'owner@example.org';

function scripted(script: MemoryScript) {
  const store = memoryStore();
  return { store, adapter: memoryAdapter({ adminEmail: ADMIN, store, script }) };
}

/** Returns one call of each method with valid data. */
function eachCall(adapter: StorageAdapter): Record<StorageCall, () => Promise<unknown>> {
  const start = exampleSession(Date.now());
  return {
    createSignup: () => adapter.createSignup(exampleSignup()),
    sendWelcomeEmail: () => adapter.sendWelcomeEmail('ada@example.org'),
    startSession: () => adapter.startSession(start),
    updateSession: () => adapter.updateSession(start.id, exampleUpdate(start)),
    readSummary: () => adapter.readSummary(ADMIN),
    inbox: async () => adapter.inbox?.(exampleSignup()),
    share: async () => adapter.share?.(exampleSignup()),
    count: async () => adapter.count?.(),
  };
}

function closedGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

it.each([
  ...(['createSignup', 'sendWelcomeEmail', 'startSession', 'updateSession', 'readSummary'] as const),
  ...(['inbox', 'share', 'count'] as const),
])('only fails %s, with the given code, and stores nothing', async (failing) => {
  const { adapter, store } = scripted({ [failing]: { fail: 'rate-limited' } });
  const calls = eachCall(adapter);
  expect(await getFailureCode(calls[failing]())).toBe('rate-limited');
  expect([store.signups.size, store.sessions.size]).toEqual([0, 0]);
  for (const call of Object.values({ ...calls, [failing]: async () => {} })) await call();
});

it('rejects with the given error itself', async () => {
  const error = new StorageError('rate-limited', 'later', { retryAfter: 60 });
  const { adapter } = scripted({ createSignup: { fail: error } });
  await expect(adapter.createSignup(exampleSignup())).rejects.toBe(error);
});

it('is offline in every call without steps', async () => {
  const { adapter } = scripted({ every: { offline: true }, readSummary: {} });
  const { readSummary, ...others } = eachCall(adapter);
  await readSummary();
  for (const call of Object.values(others)) expect(await getFailureCode(call())).toBe('unavailable');
});

it('returns "duplicate" and stores nothing', async () => {
  const { adapter, store } = scripted({ createSignup: { duplicate: true } });
  expect(await adapter.createSignup(exampleSignup())).toBe('duplicate');
  expect(store.signups.size).toBe(0);
});

it('applies a list of steps in order and repeats the last one', async () => {
  const { adapter } = scripted({ createSignup: [{ offline: true }, { fail: 'invalid' }, {}] });
  const signup = exampleSignup();
  expect(await getFailureCode(adapter.createSignup(signup))).toBe('unavailable');
  expect(await getFailureCode(adapter.createSignup(signup))).toBe('invalid');
  expect(await adapter.createSignup(signup)).toBe('created');
  expect(await adapter.createSignup(signup)).toBe('created');
  expect(await scripted({ createSignup: [] }).adapter.createSignup(signup)).toBe('created');
});

it('waits for a promise, for a time, or forever before the store acts', async () => {
  const gate = closedGate();
  const { adapter, store } = scripted({
    createSignup: [{ delay: gate.opened }, { delay: 5_000 }, { delay: 'forever' }],
  });
  vi.useFakeTimers();
  try {
    const first = adapter.createSignup(exampleSignup());
    const second = adapter.createSignup(exampleSignup());
    const settled = vi.fn();
    void adapter.createSignup(exampleSignup()).finally(settled);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(store.signups.size).toBe(0);
    gate.open();
    await first;
    expect(store.signups.size).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await second;
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(settled).not.toHaveBeenCalled();
    expect(store.signups.size).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

it('fulfills the contract while calls wait: one of several parallel calls returns created', async () => {
  const gate = closedGate();
  const { adapter } = scripted({ every: { delay: gate.opened } });
  const results = Promise.all(
    Array.from({ length: 10 }, () => adapter.createSignup(exampleSignup({ email: 'ada@example.org' }))),
  );
  gate.open();
  expect((await results).filter((result) => result === 'created')).toHaveLength(1);
});
