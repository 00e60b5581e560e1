/** Stands for a number that is not known. */
const UNKNOWN = '–';

/** "12,345" in the way of the page's language. */
export function formatCount(count: number | undefined): string {
  return format(count, {});
}

/** Of a percentage from 0 to 100: "41.67%". */
export function formatPercent(percent: number | undefined): string {
  return format(percent === undefined ? undefined : percent / 100, { style: 'percent', maximumFractionDigits: 2 });
}

/** Of whole seconds: "45s", "3m 5s", "1h 2m". */
export function formatDuration(seconds: number | undefined): string {
  if (seconds === undefined) return UNKNOWN;
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return formatUnit(seconds, 'second');
  if (minutes < 60) return `${formatUnit(minutes, 'minute')} ${formatUnit(seconds % 60, 'second')}`;
  return `${formatUnit(Math.floor(minutes / 60), 'hour')} ${formatUnit(minutes % 60, 'minute')}`;
}

function formatUnit(value: number, unit: 'hour' | 'minute' | 'second'): string {
  return format(value, { style: 'unit', unit, unitDisplay: 'narrow' });
}

/** Numbers follow the language of the page, as the texts do; one that is no language tag leaves it to the browser. */
function format(value: number | undefined, options: Intl.NumberFormatOptions): string {
  if (value === undefined) return UNKNOWN;
  try {
    return new Intl.NumberFormat(document.documentElement.lang || undefined, options).format(value);
  } catch {
    return new Intl.NumberFormat(undefined, options).format(value);
  }
}
