import { DAY_MS, HOUR_MS, isStorageError } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { resolveLocalTime } from './schedule.ts';

const NOW = Date.UTC(2026, 10, 26, 12, 0, 30);
const utc = (time: number) => new Date(time).toISOString();

/** The local time of an instant by `Intl`, which knows nothing of the code under test. */
function formatLocal(time: number, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { ...PARTS, timeZone });
  formats.set(timeZone, format);
  return format.format(time).replace(' ', 'T');
}
const PARTS = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
const formats = new Map<string, Intl.DateTimeFormat>();

function refusal(local: string, zone: string, now = NOW): string {
  try {
    resolveLocalTime(local, zone, now);
  } catch (error) {
    if (isStorageError(error) && error.code === 'invalid') return error.message.replace('early-access-kit: ', '');
    throw error;
  }
  throw new Error(`${local} was not refused`);
}

describe('a local time', () => {
  it.each([
    ['2026-12-01T09:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z'],
    ['2027-07-01T09:00', 'Europe/Berlin', '2027-07-01T07:00:00.000Z'],
    ['2026-12-01T09:00', 'Asia/Kathmandu', '2026-12-01T03:15:00.000Z'],
    ['2026-11-26T12:01', 'UTC', '2026-11-26T12:01:00.000Z'],
    ['2027-11-27T12:00', 'UTC', '2027-11-27T12:00:00.000Z'],
    ['2027-03-28T03:00', 'Europe/Berlin', '2027-03-28T01:00:00.000Z'],
  ])('%s in %s is %s', (local, zone, expected) => {
    const { at, note } = resolveLocalTime(local, zone, NOW);
    expect([utc(at), note]).toEqual([expected, null]);
  });

  it('that the clocks show twice is the first, and the note says so', () => {
    const { at, note } = resolveLocalTime('2027-10-31T02:30', 'Europe/Berlin', Date.UTC(2027, 9, 1));
    expect(utc(at)).toBe('2027-10-31T00:30:00.000Z');
    expect(note).toBe('2027-10-31 02:30 occurs twice in Europe/Berlin. It is sent the first time.');
  });

  it.each([
    ['2027-10-31T02:30+02:00', 'Europe/Berlin', '2027-10-31T00:30:00.000Z'],
    ['2027-10-31T02:30+01:00', 'Europe/Berlin', '2027-10-31T01:30:00.000Z'],
    ['2027-10-31T01:30Z', 'Europe/Berlin', '2027-10-31T01:30:00.000Z'],
    ['2027-10-30T21:30-04:00', 'Europe/Berlin', '2027-10-31T01:30:00.000Z'],
  ])('%s in %s is exactly %s', (local, zone, expected) => {
    const { at, note } = resolveLocalTime(local, zone, Date.UTC(2027, 9, 1));
    expect([utc(at), note]).toEqual([expected, null]);
  });

  it('that the clocks show twice is accepted a year and a day ahead, to the minute', () => {
    const now = Date.UTC(2026, 9, 30, 1, 30);
    expect(utc(resolveLocalTime('2027-10-31T02:30+01:00', 'Europe/Berlin', now).at)).toBe('2027-10-31T01:30:00.000Z');
    expect(refusal('2027-10-31T02:30+01:00', 'Europe/Berlin', now - 60_000)).toContain('more than a year ahead');
  });

  it('that the clocks show twice is the second at the moment of the first', () => {
    const first = Date.UTC(2027, 9, 31, 0, 30);
    expect(utc(resolveLocalTime('2027-10-31T02:30', 'Europe/Berlin', first).at)).toBe('2027-10-31T01:30:00.000Z');
  });

  it('that the clocks show twice is the second once the first is past', () => {
    // The clocks show 02:10 for the second time.
    const now = Date.UTC(2027, 9, 31, 1, 10);
    const { at, note } = resolveLocalTime('2027-10-31T02:30', 'Europe/Berlin', now);
    expect(utc(at)).toBe('2027-10-31T01:30:00.000Z');
    expect(note).toBe('2027-10-31 02:30 occurs twice in Europe/Berlin. It is sent the second time.');
    const past = '2027-10-31 02:05 has passed in Europe/Berlin; the earliest time is 2027-10-31 02:11';
    expect(refusal('2027-10-31T02:05', 'Europe/Berlin', now)).toBe(past);
    expect(utc(resolveLocalTime('2027-10-31T02:11', 'Europe/Berlin', now).at)).toBe('2027-10-31T01:11:00.000Z');
    expect(refusal('2027-10-31T02:30+02:00', 'Europe/Berlin', now)).toContain('02:30 has passed in Europe/Berlin');
  });

  it.each([
    [
      '2027-03-28T02:05',
      'Europe/Berlin',
      NOW,
      'the clocks in Europe/Berlin skip 2027-03-28 02:05; the nearest time is 2027-03-28 01:59',
    ],
    [
      '2027-03-28T02:30',
      'Europe/Berlin',
      NOW,
      'the clocks in Europe/Berlin skip 2027-03-28 02:30; the nearest time is 2027-03-28 03:00',
    ],
    // Half an hour.
    [
      '2027-10-03T02:20',
      'Australia/Lord_Howe',
      NOW,
      'the clocks in Australia/Lord_Howe skip 2027-10-03 02:20; the nearest time is 2027-10-03 02:30',
    ],
    // The time before the gap is past.
    [
      '2027-03-28T02:05',
      'Europe/Berlin',
      Date.UTC(2027, 2, 28, 0, 59),
      'the clocks in Europe/Berlin skip 2027-03-28 02:05; the nearest time is 2027-03-28 03:00',
    ],
    // Both are: the clocks skipped it an hour ago.
    [
      '2027-03-28T02:05',
      'Europe/Berlin',
      Date.UTC(2027, 2, 28, 2, 0),
      'the clocks in Europe/Berlin skip 2027-03-28 02:05; the nearest time is 2027-03-28 04:01',
    ],
    [
      '2026-11-26T13:00',
      'Europe/Berlin',
      NOW,
      '2026-11-26 13:00 has passed in Europe/Berlin; the earliest time is 2026-11-26 13:01',
    ],
    [
      '2026-11-26T12:01',
      'UTC',
      Date.UTC(2026, 10, 26, 12, 1),
      '2026-11-26 12:01 has passed in UTC; the earliest time is 2026-11-26 12:02',
    ],
    ['2026-11-01T09:00', 'UTC', NOW, '2026-11-01 09:00 has passed in UTC; the earliest time is 2026-11-26 12:01'],
    ['2027-12-01T09:00', 'UTC', NOW, '2027-12-01 09:00 is more than a year ahead; the latest time is 2027-11-27 12:00'],
  ])('%s in %s is refused at %i', (local, zone, now, message) => {
    expect(refusal(local, zone, now)).toBe(message);
  });

  it.each([
    '',
    '2026-12-01',
    '2026-12-01T9:00',
    ' 2026-12-01T09:00',
    '2026-12-01T09:00 ',
    '12026-12-01T09:00',
    '2026-13-01T09:00',
    '2026-12-01T24:00',
    '2026-12-01T09:00+1',
    '2026-12-01T09:00+99:00',
    '2026-12-01T24:00Z',
    '2026-12-01T09:00[Europe/Berlin]',
    '2026-02-30T09:00',
  ])('"%s" is none', (local) =>
    expect(refusal(local, 'UTC')).toBe('at must be a local time such as 2026-12-01T09:00 or 2026-12-01T09:00+01:00'),
  );

  it.each(['Mars/Olympus', '+01:00', '', 'Etc/Unknown'])('is refused in the zone "%s"', (zone) => {
    expect(refusal('2026-12-01T09:00', zone)).toContain('the name of a time zone such as Europe/Berlin');
  });
});

const WEEK_MS = 7 * DAY_MS;

/** The hours after which a zone's clocks differ, within the year that can be scheduled, by the change that they show. */
function findChanges(zone: string): ReadonlyMap<string, number> {
  const offset = (time: number) => Date.parse(`${formatLocal(time, zone)}Z`) - time;
  const changes = new Map<string, number>();
  const search = (start: number, end: number, [before, after]: readonly [number, number]): void => {
    if (before === after) return;
    if (end - start === HOUR_MS) {
      changes.set([start, before, after].join(), start);
      return;
    }
    const middle = start + Math.floor((end - start) / 2 / HOUR_MS) * HOUR_MS;
    const between = offset(middle);
    search(start, middle, [before, between]);
    search(middle, end, [between, after]);
  };
  const first = NOW - (NOW % HOUR_MS);
  // No zone changes its clocks and back within a week.
  for (let week = 0; week < 52; week += 1) {
    const start = first + week * WEEK_MS;
    search(start, start + WEEK_MS, [offset(start), offset(start + WEEK_MS)]);
  }
  return changes;
}

const ZONES = Intl.supportedValuesOf('timeZone');

it('of every zone, around each change of its clocks: the first instant with this local time, or a refusal whose time is accepted', () => {
  let gaps = 0;
  let repeats = 0;
  const tested = new Set<string>();
  for (const zone of ZONES) {
    for (const [shift, change] of findChanges(zone)) {
      // Zones whose clocks show the same change have the same local times.
      if (tested.has(shift)) continue;
      tested.add(shift);
      const instants = Array.from({ length: 8 * 12 }, (_, step) => change - 2 * HOUR_MS + step * (HOUR_MS / 12));
      const shown = Map.groupBy(instants, (instant) => formatLocal(instant, zone));
      const start = Date.parse(`${formatLocal(change - HOUR_MS, zone)}Z`);
      for (let minutes = 0; minutes < 180; minutes += 5) {
        const local = new Date(start + minutes * 60_000).toISOString().slice(0, 16);
        const [expected, again] = shown.get(local) ?? [];
        if (expected === undefined) {
          gaps += 1;
          const nearest = /the nearest time is (.{16})$/.exec(refusal(local, zone))?.[1]?.replace(' ', 'T') ?? '';
          expect([zone, formatLocal(resolveLocalTime(nearest, zone, NOW).at, zone)]).toEqual([zone, nearest]);
        } else {
          const { at, note } = resolveLocalTime(local, zone, NOW);
          const isTwice = again !== undefined;
          if (isTwice) repeats += 1;
          expect([zone, local, at, note !== null]).toEqual([zone, local, expected, isTwice]);
        }
      }
    }
  }
  // Zones that change their clocks exist, so that the test is not empty.
  expect(gaps).toBeGreaterThan(100);
  expect(repeats).toBeGreaterThan(100);
});

it('of every zone, at any minute of the year: shows the same local time again', () => {
  for (const [index, zone] of ZONES.entries()) {
    for (let part = 1; part < 5; part += 1) {
      const instant = NOW + 30_000 + ((part * 79_193 + index * 104_729) % (364 * 24 * 60)) * 60_000;
      const local = formatLocal(instant + 60_000, zone);
      const { at, note } = resolveLocalTime(local, zone, NOW);
      expect([zone, formatLocal(at, zone), at === instant + 60_000 || note !== null]).toEqual([zone, local, true]);
    }
  }
});
