/** Shown for an unknown number. */
const UNKNOWN = '–';

/** Formats a count in a language, by default that of the document: "12,345". */
export function formatCount(count: number | undefined, locale?: string): string {
  return count === undefined ? UNKNOWN : inLanguage(locale, (language) => format(language, count, {}));
}

/** Formats a percentage from 0 to 100: "41.67%". */
export function formatPercent(percent: number | undefined, locale?: string): string {
  if (percent === undefined) return UNKNOWN;
  const options = { style: 'percent', maximumFractionDigits: 2 } as const;
  return inLanguage(locale, (language) => format(language, percent / 100, options));
}

/** Formats whole seconds: "45s", "3m 5s", "1h 2m". */
export function formatDuration(seconds: number | undefined, locale?: string): string {
  if (seconds === undefined) return UNKNOWN;
  return inLanguage(locale, (language) => {
    const units = splitDuration(seconds).map(([unit, value]) =>
      format(language, value, { style: 'unit', unit, unitDisplay: 'narrow' }),
    );
    return new Intl.ListFormat(language, { type: 'unit', style: 'narrow' }).format(units);
  });
}

/** Returns the two largest units of a duration. */
function splitDuration(seconds: number): (readonly ['hour' | 'minute' | 'second', number])[] {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return [['second', seconds]];
  if (minutes < 60) {
    return [
      ['minute', minutes],
      ['second', seconds % 60],
    ];
  }
  return [
    ['hour', Math.floor(minutes / 60)],
    ['minute', minutes % 60],
  ];
}

function format(language: string | undefined, value: number, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(language, options).format(value);
}

/** Formats in the language of the texts, or of the browser if `locale` is not a valid language tag. */
function inLanguage(locale: string | undefined, write: (language: string | undefined) => string): string {
  try {
    return write(locale || document.documentElement.lang || undefined);
  } catch {
    return write(undefined);
  }
}
