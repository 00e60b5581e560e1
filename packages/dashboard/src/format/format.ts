import { DAY, dateFormat, TIME } from 'early-access-server/admin-api';

const LOCALE = 'en-GB';

const WHOLE = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const COMPACT = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
const SIGNED_PERCENT = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});

export function formatNumber(value: number): string {
  return WHOLE.format(value);
}

/** Short, for axes and narrow spaces: `12.4k`. */
export function formatCompact(value: number): string {
  return COMPACT.format(value);
}

/** Formats a share from 0 to 1. A dash for null, such as the bounce rate without sessions. */
export function formatPercent(share: number | null): string {
  return share === null ? '–' : PERCENT.format(share);
}

/** `45s`, `3m 05s`, `1h 02m`. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return '–';
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  if (whole < 60) return `${whole}s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)}m ${two(whole % 60)}s`;
  return `${Math.floor(whole / 3_600)}h ${two(Math.floor((whole % 3_600) / 60))}m`;
}

/** Larger changes are shown as "over 10×". */
const MOST_TIMES = 10;

/** The relative change as `+12%`, `over 10×` if it is large, or null if there is nothing to compare with. */
export function formatChange(now: number | null, before: number | null): string | null {
  if (now === null || before === null || before === 0) return null;
  if (now / before > MOST_TIMES) return `over ${MOST_TIMES}×`;
  return SIGNED_PERCENT.format((now - before) / before).replace('-', '−');
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${value.toLocaleString(LOCALE, { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${units[power]}`;
}

export function formatDateTime(time: number, zone: string): string {
  return dateFormat(zone, { ...DAY, ...TIME }).format(time);
}

export function formatClock(time: number, zone: string): string {
  return dateFormat(zone, TIME).format(time);
}

/** Returns the first and last day of a period: `1 – 30 Nov 2026`. `end` is exclusive. */
export function formatPeriod(start: number, end: number, zone: string): string {
  const last = Math.max(start, end - 1);
  return dateFormat(zone, DAY).formatRange(start, last);
}

export type BucketSize = 'hour' | 'day' | 'week' | 'month';

/** The label of a chart's bucket: short on the axis, long in tables and tooltips. */
export function formatBucket(start: number, size: BucketSize, zone: string, length: 'short' | 'long'): string {
  if (size === 'hour') {
    const day =
      length === 'long'
        ? `${dateFormat(zone, { weekday: 'short', day: 'numeric', month: 'short' }).format(start)}, `
        : '';
    return day + formatClock(start, zone);
  }
  if (size === 'month') {
    return dateFormat(zone, length === 'long' ? { month: 'long', year: 'numeric' } : { month: 'short' }).format(start);
  }
  if (length === 'short') return dateFormat(zone, { day: 'numeric', month: 'short' }).format(start);
  const day = dateFormat(zone, { weekday: 'short', ...DAY }).format(start);
  return size === 'week' ? `Week of ${day}` : day;
}

/** `1 person`, `2 people`. */
export function formatCount(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Returns the zone, or UTC if the browser does not support it, such as the `Etc/Unknown` that browsers may report. */
export function usableZone(zone: string | undefined): string {
  try {
    if (zone) return dateFormat(zone, {}) && zone;
  } catch {
    // Not supported by this browser.
  }
  return 'UTC';
}

export function browserZone(): string {
  return usableZone(Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** The server's error messages begin with a lowercase letter. */
export function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The server's error messages do not end with a period. */
export function withFullStop(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** `Last used 22 Nov 2026, 10:41`, or `Never used`. */
export function describeUse(verb: string, at: number | null, zone: string): string {
  return at === null ? `Never ${verb}` : `Last ${verb} ${formatDateTime(at, zone)}`;
}
