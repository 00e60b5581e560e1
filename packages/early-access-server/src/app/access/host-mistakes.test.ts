import { DAY_MS } from 'early-access-kit/internal';
import { expect, it, vi } from 'vitest';
import { MOUNT_ADVICE, mountMistakes } from './host-mistakes.ts';

it('a mistake is logged once with what to do, and shown for a day after it was last noticed', () => {
  const clock = { now: 0 };
  const log = vi.fn();
  const { note, recent } = mountMistakes({ log, clock: () => clock.now });
  note('path-stripped');
  clock.now = 1_000;
  note('path-stripped');
  note('client-unknown');
  const fix = MOUNT_ADVICE['path-stripped'];
  expect(log.mock.calls).toEqual([
    ['warn', 'mount-mistake', { mistake: 'path-stripped', fix }],
    ['warn', 'mount-mistake', { mistake: 'client-unknown', fix: MOUNT_ADVICE['client-unknown'] }],
  ]);
  clock.now += DAY_MS - 1;
  note('client-unknown');
  expect(recent()).toEqual(['path-stripped', 'client-unknown']);
  clock.now += 1;
  expect(recent()).toEqual(['client-unknown']);
});
