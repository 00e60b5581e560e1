import { HOUR_MS, StorageError } from 'early-access-kit/internal';
import { Temporal } from 'temporal-polyfill';
import { inZone } from '../analytics/time-zone.ts';

/** How many hours ahead a campaign can be scheduled: a year and a day. */
const MAX_HOURS_AHEAD = 366 * 24;

/** May have an offset, for the second of two equal times. */
export const LOCAL_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(Z|[+-]\d\d:\d\d)?$/;

export interface ScheduledTime {
  /** Epoch milliseconds. */
  readonly at: number;
  /** A sentence for the admin if the local time occurs twice because the clocks go back. */
  readonly note: string | null;
}

/**
 * Returns the instant of a local time such as `2026-12-01T09:00` in an IANA time zone. Of a time that the clocks show
 * twice, it is the first that is not past; with an offset such as `+01:00`, it is the one that is meant. Throws a
 * `StorageError` with code `invalid`, which names the nearest valid time, for one that the clocks skip or that is past.
 */
export function resolveLocalTime(local: string, zone: string, now: number): ScheduledTime {
  const { plain, first, last } = parseTime(local, inZone(zone, now).timeZoneId);
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
  const next = first.epochMilliseconds > now ? first : last;
  if (next.epochMilliseconds <= now) {
    throw new StorageError('invalid', `${show(plain)} has passed in ${zone}; the earliest time is ${show(nextMinute)}`);
  }
  if (next.epochMilliseconds > now + MAX_HOURS_AHEAD * HOUR_MS) {
    const latest = inZone(zone, now + MAX_HOURS_AHEAD * HOUR_MS);
    throw new StorageError('invalid', `${show(plain)} is more than a year ahead; the latest time is ${show(latest)}`);
  }
  const isTwice = !first.equals(last);
  const time = next === first ? 'first' : 'second';
  return {
    at: next.epochMilliseconds,
    note: isTwice ? `${show(plain)} occurs twice in ${zone}. It is sent the ${time} time.` : null,
  };
}

/** Returns what the clocks of the zone show, and the first and the last time that they show it. */
function parseTime(text: string, zone: string) {
  const [, local, offset] = LOCAL_TIME.exec(text) ?? [];
  try {
    if (local === undefined) throw new RangeError(text);
    if (offset !== undefined) {
      const time = Temporal.Instant.from(text).toZonedDateTimeISO(zone);
      return { plain: time.toPlainDateTime(), first: time, last: time };
    }
    const plain = Temporal.PlainDateTime.from(local);
    const resolve = (disambiguation: 'earlier' | 'later') => plain.toZonedDateTime(zone, { disambiguation });
    return { plain, first: resolve('earlier'), last: resolve('later') };
  } catch {
    throw new StorageError('invalid', 'at must be a local time such as 2026-12-01T09:00 or 2026-12-01T09:00+01:00');
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
