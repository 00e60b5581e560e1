import { SECOND_MS } from 'early-access-kit/internal';

/** Longer than any valid value (RFC 9110). */
const MAX_LENGTH = 40;
/** An HTTP date in the current format or one of the two obsolete ones. `Date.parse` would accept nearly anything. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? .*(?:GMT|\d{4})$/;

/** When a receiver wants the next attempt, from its `Retry-After` header. Undefined if it is missing or invalid. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (value.length > MAX_LENGTH) return undefined;
  if (/^\d+$/.test(value)) return now + Number(value) * SECOND_MS;
  const at = HTTP_DATE.test(value) ? Date.parse(value.endsWith('GMT') ? value : `${value} GMT`) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
