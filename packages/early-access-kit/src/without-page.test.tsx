import { renderToString } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { memoryAdapter } from './adapters/memory.ts';
import { EarlyAccessProvider } from './provider.tsx';
import { SignupForm } from './signup/signup-form.tsx';
import { startTracker } from './tracker/tracker.ts';

/** Runs in Node, which has neither `document` nor `location`. */

afterEach(() => {
  vi.useRealTimers();
});

it('server rendering needs no URL', () => {
  const page = (
    <EarlyAccessProvider adapter={memoryAdapter()}>
      <SignupForm botGuard={false} />
    </EarlyAccessProvider>
  );
  expect(globalThis).not.toHaveProperty('location');
  expect(renderToString(page)).toContain('<form');
});

it('the tracker does nothing', () => {
  vi.useFakeTimers();
  const adapter = { startSession: vi.fn(async () => {}), updateSession: vi.fn(async () => {}) };
  const before = Reflect.ownKeys(globalThis);
  startTracker({ adapter, allowBots: true })();
  expect([...adapter.startSession.mock.calls, ...adapter.updateSession.mock.calls]).toEqual([]);
  expect(Reflect.ownKeys(globalThis)).toEqual(before);
  expect(vi.getTimerCount()).toBe(0);
});
