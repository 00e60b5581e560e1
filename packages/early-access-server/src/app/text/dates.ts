/**
 * Date formats for the dashboard, emails and pages. Months are written as words and English dates start with the day,
 * so that they cannot be misread.
 */

/** The parts of a date. Months are never numeric. */
export interface DateParts {
  readonly weekday?: 'short';
  readonly day?: 'numeric';
  readonly month?: 'short' | 'long';
  readonly year?: 'numeric';
  readonly hour?: '2-digit';
  readonly minute?: '2-digit';
}

/** `16 Mar 2026`. */
export const DAY: DateParts = { day: 'numeric', month: 'short', year: 'numeric' };
/** `16 March 2026`. */
export const LONG_DAY: DateParts = { ...DAY, month: 'long' };
export const TIME: DateParts = { hour: '2-digit', minute: '2-digit' };

/** For texts without the reader's time zone: `25 May 2026, 14:05 UTC`. */
export function formatUtc(time: number): string {
  return `${dateFormat('UTC', { ...DAY, ...TIME }).format(time)} UTC`;
}

/** Locales for languages whose default locale formats dates differently. */
export const DATE_LOCALES: Readonly<Record<string, string>> = { en: 'en-GB' };

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns a cached format: formats are slow to create, and a table needs the same one for every row. Throws if the time
 * zone does not exist.
 */
export function dateFormat(timeZone: string, parts: DateParts, language = 'en'): Intl.DateTimeFormat {
  const key = JSON.stringify([timeZone, parts, language]);
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat(DATE_LOCALES[language] ?? language, { ...parts, timeZone });
  formats.set(key, format);
  return format;
}
