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

it('the advice says what to do for each', () => {
  expect(MOUNT_ADVICE).toEqual({
    'path-stripped': expect.stringContaining('Pass on requests with their full path.'),
    'path-prefixed': expect.stringContaining('Serve the application at the root of its origin'),
    'client-unknown': expect.stringContaining('Pass clientAddress to fetch'),
    'proxy-not-trusted': expect.stringContaining('set TRUST_PROXY (trustProxy) to the number of proxies'),
    'clients-share-address': expect.stringContaining('Set TRUST_PROXY (trustProxy) to the number of proxies'),
    'jobs-not-running': expect.stringContaining('Call start() in a process that keeps running'),
    'invite-key-wrong': expect.stringContaining('Give it the INVITE_KEY of this server'),
  });
});
