// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { startTracker } from '../tracker.ts';
import { recordingAdapter } from './page.fixture.ts';

vi.mock('react', () => {
  throw new Error('React was loaded');
});
vi.mock('react-dom', () => {
  throw new Error('React was loaded');
});

it('early-access-kit/tracker runs on a page without React', async () => {
  await expect(import('react')).rejects.toThrow();
  const adapter = recordingAdapter();
  const stop = startTracker({ adapter, allowBots: true });
  expect(adapter.starts).toHaveLength(1);
  stop();
  expect(adapter.updates).toHaveLength(1);
});
