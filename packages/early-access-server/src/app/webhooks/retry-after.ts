import { SECOND_MS } from 'early-access-kit/internal';

/** Longer than any value that RFC 9110 allows. */
const MAX_LENGTH = 40;
/** A date of HTTP, in today's form and the two obsolete ones. `Date.parse` would accept nearly anything. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? .*(?:GMT|\d{4})$/;

/** The time at which a receiver wants to be asked again, by its header `Retry-After`; undefined if it names none. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (value.length > MAX_LENGTH) return undefined;
  if (/^\d+$/.test(value)) return now + Number(value) * SECOND_MS;
  const at = HTTP_DATE.test(value) ? Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
