import { StorageError } from 'early-access-kit/core';
import { Temporal } from 'temporal-polyfill';

/** The name that browsers report if they do not recognize the system's time zone. */
const UNKNOWN_ZONE = 'Etc/Unknown';

/** Returns UTC if the browser does not know its own zone. */
export function knownZone(zone: string | undefined): string {
  return zone === undefined || zone === UNKNOWN_ZONE ? 'UTC' : zone;
}

/** The local time in an IANA time zone. Throws a `StorageError` with code `invalid` if there is no such zone. */
export function inZone(zone: string, time: number): Temporal.ZonedDateTime {
  const rule = 'zone must be the name of a time zone such as Europe/Berlin';
  // Temporal accepts fixed offsets, but they have no daylight saving time.
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(zone)) throw new StorageError('invalid', rule);
  try {
    return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
  } catch {
    throw new StorageError('invalid', rule);
  }
}
