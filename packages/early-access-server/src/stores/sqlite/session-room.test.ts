import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it, vi } from 'vitest';
import { isReserved } from '../../app/analytics/session-room.ts';
import { sessionRoom } from './session-room.ts';

it('keeps 256 MB of a disk, or a tenth of a small one, and never all of it', () => {
  const bytes = fc.nat({ max: 1e12 });
  fc.assert(
    fc.property(bytes, bytes, (free, size) => {
      expect(isReserved(free, size)).toBe(free < 256e6 && free < size / 10);
      expect(isReserved(size, size)).toBe(false);
    }),
  );
});

it('stores no sessions while the disk is nearly full, and says so once', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const log = vi.fn();
    const disk = { free: 1e9, size: 1e10 };
    const check = sessionRoom('/data/early-access.sqlite', log, (folder) => {
      expect(folder).toBe('/data');
      return disk;
    });
    check();
    disk.free = 1e8;
    vi.advanceTimersByTime(1_000);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(check).toThrow(expect.objectContaining({ code: 'rate-limited', retryAfter: 600 }));
      vi.advanceTimersByTime(1_000);
    }
    expect(log.mock.calls).toEqual([['warn', 'disk-nearly-full', { free: 1e8, fix: expect.any(String) }]]);
    disk.free = 1e9;
    vi.advanceTimersByTime(1_000);
    check();
  } finally {
    vi.useRealTimers();
  }
});

it('stores sessions if the disk cannot be asked', () => {
  expect(sessionRoom('/no/such/folder/file', () => {})).not.toThrow();
});
