import { invalid } from '../status.ts';

/** Microseconds since the epoch, which is Firestore's precision. */
export type Micros = bigint;

const RFC3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/** Parses RFC 3339. More precise digits are truncated, as in Firestore. */
export function parseTime(text: string, at: string): Micros {
  const [, seconds, fraction = '', zone] = RFC3339.exec(text) ?? [];
  const millis = seconds === undefined ? Number.NaN : Date.parse(`${seconds}${zone}`);
  if (Number.isNaN(millis) || seconds?.startsWith('0000')) {
    throw invalid(`${at} is not a timestamp: ${text}`);
  }
  return BigInt(millis) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

/** Formats RFC 3339 in UTC with 0, 3 or 6 fractional digits, as protobuf's JSON does. */
export function formatTime(micros: Micros): string {
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((micros - rest) / 1000n)).toISOString().slice(0, 19);
  if (rest === 0n) return `${seconds}Z`;
  const digits = rest.toString().padStart(6, '0');
  return `${seconds}.${digits.endsWith('000') ? digits.slice(0, 3) : digits}Z`;
}
