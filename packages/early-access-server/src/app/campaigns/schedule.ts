import { HOUR_MS, StorageError } from 'early-access-kit/internal';
import { Temporal } from 'temporal-polyfill';
import { inZone } from '../analytics/time-zone.ts';

/** How many hours ahead a campaign can be scheduled: a year and a day. */
const MAX_HOURS_AHEAD = 366 * 24;

export interface ScheduledTime {
  /** Epoch milliseconds. */
  readonly at: number;
  /** A sentence for the admin if the local time occurs twice because the clocks go back. */
  readonly note: string | null;
}

/**
 * Converts a local time such as `2026-12-01T09:00` in an IANA time zone to an instant. If the time occurs twice, the
 * first is used. Throws a `StorageError` with code `invalid` for a time that is skipped or in the past; the message
 * suggests the nearest valid time.
 */
export function resolveLocalTime(local: string, zone: string, now: number): ScheduledTime {
  const plain = parseLocalTime(local);
  const [first, last] = (['earlier', 'later'] as const).map((disambiguation) =>
    plain.toZonedDateTime(inZone(zone, now).timeZoneId, { disambiguation }),
  );
  if (first === undefined || last === undefined) throw new TypeError('a local time has an instant');
  const nextMinute = inZone(zone, now).round({ smallestUnit: 'minute', roundingMode: 'floor' }).add({ minutes: 1 });
  if (!first.toPlainDateTime().equals(plain)) {
    const skipped = last.getTimeZoneTransition('previous') ?? last;
    const nearest = [skipped, skipped.subtract({ minutes: 1 })]
      .filter(({ epochMilliseconds }) => epochMilliseconds > now)
      .toSorted((a, b) => measureDistance(a, plain) - measureDistance(b, plain))[0];
    throw new StorageError(
      'invalid',
      `the clocks in ${zone} skip ${show(plain)}; the nearest time is ${show((nearest ?? nextMinute).toPlainDateTime())}`,
    );
  }
  if (first.epochMilliseconds <= now) {
    throw new StorageError('invalid', `${show(plain)} is past in ${zone}; the earliest time is ${show(nextMinute)}`);
  }
  if (first.epochMilliseconds > now + MAX_HOURS_AHEAD * HOUR_MS) {
    const latest = inZone(zone, now + MAX_HOURS_AHEAD * HOUR_MS);
    throw new StorageError('invalid', `${show(plain)} is more than a year ahead; the latest time is ${show(latest)}`);
  }
  const isTwice = !first.equals(last);
  return {
    at: first.epochMilliseconds,
    note: isTwice ? `${show(plain)} occurs twice in ${zone}. It is sent the first time.` : null,
  };
}

function parseLocalTime(local: string): Temporal.PlainDateTime {
  const rule = 'at must be a local time such as 2026-12-01T09:00';
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local)) throw new StorageError('invalid', rule);
  try {
    return Temporal.PlainDateTime.from(local);
  } catch {
    throw new StorageError('invalid', rule);
  }
}

/** How far a zoned time is from this local time. */
function measureDistance(time: Temporal.ZonedDateTime, local: Temporal.PlainDateTime): number {
  return Math.abs(time.toPlainDateTime().until(local).total('seconds'));
}

/** `2026-12-01 09:00`. */
function show(time: Temporal.PlainDateTime | Temporal.ZonedDateTime): string {
  return `${time.toString().slice(0, 10)} ${time.toString().slice(11, 16)}`;
}
