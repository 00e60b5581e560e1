/** Stands for a number that is not known. */
const UNKNOWN = '–';

/** "12,345" in the way of a language, the document's unless given. */
export function formatCount(count: number | undefined, locale?: string): string {
  return count === undefined ? UNKNOWN : inLanguage(locale, (language) => format(language, count, {}));
}

/** Of a percentage from 0 to 100: "41.67%". */
export function formatPercent(percent: number | undefined, locale?: string): string {
  if (percent === undefined) return UNKNOWN;
  const options = { style: 'percent', maximumFractionDigits: 2 } as const;
  return inLanguage(locale, (language) => format(language, percent / 100, options));
}

/** Of whole seconds: "45s", "3m 5s", "1h 2m". */
export function formatDuration(seconds: number | undefined, locale?: string): string {
  if (seconds === undefined) return UNKNOWN;
  return inLanguage(locale, (language) => {
    const units = unitsOf(seconds).map(([unit, value]) =>
      format(language, value, { style: 'unit', unit, unitDisplay: 'narrow' }),
    );
    return new Intl.ListFormat(language, { type: 'unit', style: 'narrow' }).format(units);
  });
}

/** The two largest units that a duration reaches. */
function unitsOf(seconds: number): (readonly ['hour' | 'minute' | 'second', number])[] {
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

/** Numbers follow the language of the texts; one that is no language tag leaves it to the browser. */
function inLanguage(locale: string | undefined, write: (language: string | undefined) => string): string {
  try {
    return write(locale || document.documentElement.lang || undefined);
  } catch {
    return write(undefined);
  }
}
