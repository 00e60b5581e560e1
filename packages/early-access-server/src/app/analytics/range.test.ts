import { fc } from '@early-access-kit/testkit/fast-check';
import { HOUR_MS, isStorageError } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { analyticsRange, type RangeParameters } from './range.ts';

const NOW = Date.UTC(2026, 3, 2, 10, 30);

const iso = (times: readonly (number | null)[]) =>
  times.map((time) => time && new Date(time).toISOString().slice(0, 16));

function readPeriod(parameters: RangeParameters, now = NOW, first: number | null = null) {
  const { buckets, end, previousStart, bucket } = analyticsRange(parameters, now, first);
  return { bucket, bars: buckets.length, times: iso([previousStart, buckets[0] ?? 0, end]) };
}

describe('a range', () => {
  it('is 30 days in UTC unless asked otherwise, with today', () => {
    const { range, zone } = analyticsRange({}, NOW, null);
    expect([range, zone]).toEqual(['30d', 'UTC']);
    // Browsers report it if they do not know the zone of the system.
    expect(analyticsRange({ zone: 'Etc/Unknown' }, NOW, null)).toEqual(analyticsRange({}, NOW, null));
    expect(readPeriod({})).toEqual({
      bucket: 'day',
      bars: 30,
      times: ['2026-02-02T00:00', '2026-03-04T00:00', '2026-04-03T00:00'],
    });
  });

  it('consists of whole days in the time zone, of 23 and 25 hours too', () => {
    expect(readPeriod({ range: '7d', zone: 'Europe/Berlin' })).toEqual({
      bucket: 'day',
      bars: 7,
      // Daylight saving time began on 29 March.
      times: ['2026-03-19T23:00', '2026-03-26T23:00', '2026-04-02T22:00'],
    });
    const { buckets } = analyticsRange({ range: '7d', zone: 'Europe/Berlin' }, NOW, null);
    const lengths = buckets.slice(1).map((start, index) => (start - (buckets[index] ?? 0)) / HOUR_MS);
    expect(lengths).toEqual([24, 24, 23, 24, 24, 24]);
  });

  it.each([
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2025-10-26', 'Europe/Berlin', 25],
    ['2026-04-05', 'Australia/Lord_Howe', 25],
    ['2026-03-10', 'Asia/Kolkata', 24],
  ])('of the single day %s in %s has %i bars of an hour', (day, zone, bars) => {
    expect(readPeriod({ range: 'custom', from: day, to: day, zone })).toMatchObject({ bucket: 'hour', bars });
  });

  it('starts in the zone whose day begins at half past an hour', () => {
    expect(readPeriod({ range: 'custom', from: '2026-01-01', to: '2026-01-02', zone: 'Asia/Kolkata' }).times).toEqual([
      '2025-12-29T18:30',
      '2025-12-31T18:30',
      '2026-01-02T18:30',
    ]);
  });

  it('starts when a day without midnight starts, and has no bar for a day that was skipped', () => {
    expect(
      readPeriod({ range: 'custom', from: '2018-11-04', to: '2018-11-04', zone: 'America/Sao_Paulo' }),
    ).toMatchObject({
      bars: 23,
      times: ['2018-11-03T03:00', '2018-11-04T03:00', '2018-11-05T02:00'],
    });
    expect(readPeriod({ range: 'custom', from: '2011-12-29', to: '2011-12-31', zone: 'Pacific/Apia' }).bars).toBe(2);
  });

  it('of everything starts with the first row, has weeks or months if it is long, and is compared with nothing', () => {
    expect(readPeriod({ range: 'all' }, NOW, null)).toMatchObject({ bucket: 'hour', bars: 24 });
    expect(readPeriod({ range: 'all' }, NOW, NOW - 91 * 24 * HOUR_MS)).toMatchObject({ bucket: 'day', bars: 92 });
    expect(readPeriod({ range: 'all' }, NOW, Date.UTC(2025, 2, 5, 9))).toEqual({
      bucket: 'week',
      bars: 57,
      times: [null, '2025-03-05T00:00', '2026-04-03T00:00'],
    });
    expect(readPeriod({ range: 'all' }, NOW, Date.UTC(2020, 2, 5, 9))).toMatchObject({ bucket: 'month', bars: 74 });
    expect(readPeriod({ range: 'all' }, NOW, 0).bars).toBeLessThanOrEqual(400);
    expect(readPeriod({ range: 'all' }, NOW, NOW + 3 * 24 * HOUR_MS)).toMatchObject({ bars: 24 });
  });

  it.each<[RangeParameters, string, number, string[]]>([
    // It is 12:30 in Berlin.
    [{ range: 'today' }, 'hour', 24, ['2026-03-31T22:00', '2026-04-01T10:30', '2026-04-01T22:00', '2026-04-02T22:00']],
    [
      { range: 'today', compare: 'year' },
      'hour',
      24,
      ['2025-04-01T22:00', '2025-04-02T10:30', '2026-04-01T22:00', '2026-04-02T22:00'],
    ],
    [
      { range: 'yesterday' },
      'hour',
      24,
      ['2026-03-30T22:00', '2026-03-31T22:00', '2026-03-31T22:00', '2026-04-01T22:00'],
    ],
    [{ range: '24h' }, 'hour', 24, ['2026-03-31T11:00', '2026-04-01T10:30', '2026-04-01T11:00', '2026-04-02T11:00']],
    [{ range: '7d' }, 'day', 7, ['2026-03-19T23:00', '2026-03-26T11:30', '2026-03-26T23:00', '2026-04-02T22:00']],
    [{ range: 'month' }, 'day', 2, ['2026-02-28T23:00', '2026-03-02T11:30', '2026-03-31T22:00', '2026-04-02T22:00']],
    [{ range: 'year' }, 'day', 92, ['2024-12-31T23:00', '2025-04-02T10:30', '2025-12-31T23:00', '2026-04-02T22:00']],
    [
      { range: 'custom', from: '2026-03-01', to: '2026-03-02', compare: 'year' },
      'day',
      2,
      ['2025-02-28T23:00', '2025-03-02T23:00', '2026-02-28T23:00', '2026-03-02T23:00'],
    ],
    // A leap day is compared with the day before it.
    [
      { range: 'custom', from: '2024-02-29', to: '2024-02-29', compare: 'year' },
      'hour',
      24,
      ['2023-02-27T23:00', '2023-02-28T23:00', '2024-02-28T23:00', '2024-02-29T23:00'],
    ],
  ])('%j has bars of a %s, and is compared with as much of another one', (parameters, bucket, bars, times) => {
    const period = analyticsRange({ zone: 'Europe/Berlin', ...parameters }, NOW, null);
    expect([period.bucket, period.buckets.length]).toEqual([bucket, bars]);
    expect(iso([period.previousStart, period.previousEnd, period.buckets[0] ?? 0, period.end])).toEqual(times);
  });

  it('of a month is compared with no day of its own', () => {
    const { buckets, previousEnd } = analyticsRange({ range: 'month' }, Date.UTC(2026, 2, 31, 9), null);
    expect(previousEnd).toBe(Date.UTC(2026, 1, 28, 9));
    expect(buckets[0]).toBe(Date.UTC(2026, 2, 1));
  });

  it('may be as long and end as late as the limits say', () => {
    expect(readPeriod({ range: 'custom', from: '1990-01-01', to: '2022-11-08' })).toMatchObject({ bucket: 'month' });
    expect(readPeriod({ range: 'custom', from: '2027-04-03', to: '2027-04-03' })).toMatchObject({ bars: 24 });
    const weeks = { range: 'custom', from: '2024-01-01', to: '2025-12-31' };
    expect([readPeriod(weeks), readPeriod({ ...weeks, to: '2026-01-01' })]).toMatchObject([
      { bucket: 'week' },
      { bucket: 'month' },
    ]);
    const all = analyticsRange({ range: 'all' }, NOW, 0);
    expect(iso([all.buckets[0] ?? 0])).toEqual([iso([Date.UTC(2026, 3, 2) - 11_999 * 24 * HOUR_MS])[0]]);
  });

  it('has at most 400 bars, ascending, for any days and zone', () => {
    const day = fc
      .date({ min: new Date('1970-01-01'), max: new Date(NOW + 300 * 24 * HOUR_MS), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    fc.assert(
      fc.property(day, day, zone, (a, b, name) => {
        const [from, to] = [a, b].sort();
        try {
          const { buckets, end, previousStart } = analyticsRange({ range: 'custom', from, to, zone: name }, NOW, null);
          expect(buckets.length).toBeLessThanOrEqual(400);
          const times = [previousStart ?? 0, ...buckets, end];
          expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
        } catch (error) {
          if (!isStorageError(error)) throw error;
          expect(error.message).toContain('days apart');
        }
      }),
      { numRuns: 100 },
    );
  });

  it.each<[RangeParameters, string]>([
    [{ range: '31d' }, 'range must be one of today, yesterday, 24h, 7d, 30d, 90d, month, year, all, custom'],
    [{ range: '' }, 'range must be one of'],
    [{ range: 'custom' }, 'from must be a day such as 2026-01-31'],
    [{ range: 'custom', from: '2026-01-01' }, 'to must be a day'],
    [{ range: 'custom', from: '2026-02-30', to: '2026-03-01' }, 'from must be a day'],
    [{ range: 'custom', from: '2026-01-01', to: '20260102' }, 'to must be a day'],
    [{ range: 'custom', from: '2026-01-01T00:00', to: '2026-01-02' }, 'from must be a day'],
    [{ range: 'custom', from: '2026-01-02', to: '2026-01-01' }, 'from must not be after to'],
    [{ range: 'custom', from: '1969-12-31', to: '1970-01-02' }, 'after 1970'],
    [{ range: 'custom', from: '0001-01-01', to: '9999-12-31' }, 'at most 12000 days apart'],
    [{ range: 'custom', from: '9999-12-30', to: '9999-12-31' }, 'at most a year ahead'],
    [{ compare: 'week' }, 'compare must be one of period, year'],
    [{ zone: 'Europe/Atlantis' }, 'zone must be the name of a time zone such as Europe/Berlin'],
    [{ zone: '' }, 'zone must be'],
    [{ zone: '+05:30' }, 'zone must be'],
    [{ zone: '[Europe/Berlin' }, 'zone must be'],
    // Temporal takes the zone of such a time.
    [{ zone: '2026-01-01T00Z' }, 'zone must be'],
    [{ zone: 'Europe/Berlin[u-ca=hebrew]' }, 'zone must be'],
    [{ range: 'custom', from: '+002026-01-01', to: '2026-01-02' }, 'from must be a day'],
    [{ range: 'custom', from: '1990-01-01', to: '2022-11-09' }, 'at most 12000 days apart'],
    [{ range: 'custom', from: '2027-04-02', to: '2027-04-04' }, 'at most a year ahead'],
    [{ zone: 'x'.repeat(10_000) }, 'zone must be'],
  ])('%j is refused with what to send instead', (parameters, rule) => {
    expect(() => analyticsRange(parameters, NOW, null)).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(() => analyticsRange(parameters, NOW, null)).toThrow(rule);
  });
});
