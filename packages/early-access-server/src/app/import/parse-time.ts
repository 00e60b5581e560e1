import { HOUR_MS, MINUTE_MS, SECOND_MS } from 'early-access-kit/internal';

/** How to read an ambiguous date such as 3/4/2026. */
export const DATE_ORDERS = ['day-first', 'month-first'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const YEAR_FIRST = /^(?<year>\d{4})([-/.])(?<month>\d\d?)\2(?<day>\d\d?)/;
const YEAR_LAST = /^(?<first>\d\d?)([-/.])(?<second>\d\d?)\2(?<year>\d{4})/;
const MONTH_NAMED = /^(?:[a-z]{3,9},? )?(?<name>[a-z]{3,9})\.? (?<day>\d\d?)(?:st|nd|rd|th)?,? (?<year>\d{4})/i;
const DAY_NAMED = /^(?:[a-z]{3,9},? )?(?<day>\d\d?)(?:st|nd|rd|th|\.)?[ -](?<name>[a-z]{3,9})\.?,?[ -](?<year>\d{4})/i;
const FORMS = [YEAR_FIRST, YEAR_LAST, MONTH_NAMED, DAY_NAMED];

const CLOCK =
  /^(?:t|,? (?:at )?)(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?(?: ?(?<half>[ap])\.?m\.?)?(?: ?(?:z|(?:utc|gmt)?(?:(?<sign>[+-])(?<zoneHour>\d\d?)(?::?(?<zoneMinute>\d\d))?)?))?(?: ?\([^()]*\))?$/i;

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november'],
  'december',
];

/** Unix times in this century. Other numbers are not times. */
const UNIX_SECONDS = { from: Date.UTC(2000) / SECOND_MS, to: Date.UTC(2100) / SECOND_MS };
const UNIX = /^\d{9,13}(?:\.\d+)?$/;

function readUnixTime(text: string): number | null {
  const number = Math.floor(UNIX.test(text) ? Number(text) : 0);
  const isPlausible = (seconds: number) => seconds >= UNIX_SECONDS.from && seconds < UNIX_SECONDS.to;
  return isPlausible(number) ? number * SECOND_MS : isPlausible(number / SECOND_MS) ? number : null;
}

const DATE_START = /\d[-/.]\d/;

/** Returns whether the text has the format of a date, even if no such date exists. */
export function looksLikeTime(text: string): boolean {
  return DATE_START.test(text) || parseTime(text.trim(), 'day-first') !== null;
}

/**
 * Returns the order of day and month in a date that is unambiguous, such as 31/1/2024. Null if it is ambiguous or has
 * another format.
 */
export function findDateOrder(text: string): DateOrder | null {
  const { first, second } = YEAR_LAST.exec(text)?.groups ?? {};
  if (first === undefined || second === undefined || parseTime(text, null) === 'two-ways') return null;
  return Number(first) > 12 ? 'day-first' : Number(second) > 12 ? 'month-first' : null;
}

/**
 * Returns a date or time as epoch milliseconds, in UTC if it has no zone. `two-ways`: the date is ambiguous and `order`
 * is null. Null for anything else.
 */
export function parseTime(text: string, order: DateOrder | null): number | 'two-ways' | null {
  const found = FORMS.map((form) => form.exec(text)).find((match) => match !== null);
  if (!found?.groups) return readUnixTime(text);
  const day = readDay(found.groups, order);
  const clock = readClock(text.slice(found[0].length));
  if (day === null || clock === null) return null;
  if (day === 'two-ways') return day;
  return day + clock >= 0 ? day + clock : null;
}

type Groups = Readonly<Record<string, string | undefined>>;

function readDay(groups: Groups, order: DateOrder | null): number | 'two-ways' | null {
  const year = Number(groups.year);
  if (groups.name !== undefined) return toDay(year, findMonth(groups.name), Number(groups.day));
  if (groups.first === undefined) return toDay(year, Number(groups.month), Number(groups.day));
  const [first, second] = [Number(groups.first), Number(groups.second)];
  const dayFirst = toDay(year, second, first);
  const monthFirst = toDay(year, first, second);
  if (dayFirst === null || monthFirst === null || dayFirst === monthFirst) return dayFirst ?? monthFirst;
  return order === null ? 'two-ways' : order === 'day-first' ? dayFirst : monthFirst;
}

/** Returns 0 if the word is not a month. */
function findMonth(name: string): number {
  const word = name.toLowerCase().replace(/^sept$/, 'sep');
  return 1 + MONTHS.findIndex((month) => month === word || month.slice(0, 3) === word);
}

/** Returns null for a day that does not exist, because `Date` would turn February 30 into a day in March. */
function toDay(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isSame = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isSame ? date.getTime() : null;
}

/** Milliseconds since midnight UTC. */
function readClock(text: string): number | null {
  if (text === '') return 0;
  const { groups } = CLOCK.exec(text) ?? {};
  if (!groups) return null;
  const { half, fraction = '', sign, zoneHour = '0', zoneMinute = '0' } = groups;
  const [hour, minute, second] = [Number(groups.hour), Number(groups.minute), Number(groups.second ?? '0')];
  if (hour > 23 || minute > 59 || second > 59 || Number(zoneHour) > 14 || Number(zoneMinute) > 59) return null;
  if (half !== undefined && hour > 12) return null;
  const hours = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const zone = Number(zoneHour) * HOUR_MS + Number(zoneMinute) * MINUTE_MS;
  const time = hours * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + Number(fraction.padEnd(3, '0').slice(0, 3));
  return time - (sign === '-' ? -zone : zone);
}
