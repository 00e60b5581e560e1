import { expect, test, vi } from 'vitest';
import {
  browserZone,
  formatBucket,
  formatBytes,
  formatChange,
  formatDuration,
  formatPercent,
  formatPeriod,
  usableZone,
} from './format.ts';

test('durations have at most two units', () => {
  expect([0, 45.4, 185, 3_725].map(formatDuration)).toEqual(['0s', '45s', '3m 05s', '1h 02m']);
  expect(formatDuration(null)).toBe('–');
});

test('a share of nothing is a dash', () => {
  expect([null, 0, 0.0546, 1].map(formatPercent)).toEqual(['–', '0.0%', '5.5%', '100.0%']);
});

test('a change has a sign, and is null without a previous value', () => {
  expect(formatChange(112, 100)).toBe('+12%');
  expect(formatChange(50, 100)).toBe('−50%');
  expect(formatChange(100, 100)).toBe('0%');
  expect(formatChange(1_000, 100)).toBe('+900%');
  expect(formatChange(1_001, 100)).toBe('over 10×');
  expect(formatChange(5, 0)).toBeNull();
  expect(formatChange(5, null)).toBeNull();
});

test('bytes', () => {
  expect([0, 999, 1_500, 48_300_000, 212_000_000_000].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1.5 kB',
    '48 MB',
    '212 GB',
  ]);
});

test('a period names its last day, not the day after', () => {
  const start = Date.parse('2026-11-01T00:00:00Z');
  expect(formatPeriod(start, Date.parse('2026-12-01T00:00:00Z'), 'UTC')).toMatch(/^1\s?–\s?30 Nov 2026$/);
  expect(formatPeriod(start, Date.parse('2026-11-02T00:00:00Z'), 'UTC')).toBe('1 Nov 2026');
});

test('buckets are named in the zone, even across daylight saving changes', () => {
  const midnight = Date.parse('2026-10-25T00:00:00+02:00');
  expect(formatBucket(midnight, 'day', 'Europe/Berlin', 'long')).toBe('Sun, 25 Oct 2026');
  expect(formatBucket(midnight, 'day', 'America/New_York', 'short')).toBe('24 Oct');
  const hours = [0, 1, 2, 3, 4].map((hour) =>
    formatBucket(midnight + hour * 3_600_000, 'hour', 'Europe/Berlin', 'short'),
  );
  expect(hours).toEqual(['00:00', '01:00', '02:00', '02:00', '03:00']);
  expect(formatBucket(midnight, 'week', 'Europe/Berlin', 'long')).toBe('Week of Sun, 25 Oct 2026');
  expect(formatBucket(midnight, 'month', 'Europe/Berlin', 'short')).toBe('Oct');
});

test('a zone that the browser does not support becomes UTC', () => {
  expect(['Europe/Berlin', 'Etc/Unknown', 'Mars/Olympus', '', undefined].map(usableZone)).toEqual([
    'Europe/Berlin',
    'UTC',
    'UTC',
    'UTC',
    'UTC',
  ]);
});

test.each(['Etc/Unknown', undefined])('a browser that reports the zone %s', (timeZone) => {
  const options = Intl.DateTimeFormat().resolvedOptions();
  const resolved = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
  resolved.mockReturnValue(Object.assign(options, { timeZone }));
  expect(browserZone()).toBe('UTC');
  resolved.mockRestore();
});
