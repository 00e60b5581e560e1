import { readField } from '../text/read-field.ts';
import type { ComplaintCounts } from './complaints.ts';

/**
 * The content of an email to an admin: the `data` of a message of kind `notice`. Contains no address, so it need not be
 * changed when a person is erased.
 */
export type Notice =
  /** People have signed up since the last notice. `since`: the first of these signups, in epoch milliseconds. */
  | { readonly type: 'signups'; readonly signups: number; readonly since: number }
  /** An endpoint was disabled after a day of failures. `endpoint` is its name, `reason` that of the last failure. */
  | { readonly type: 'webhook-disabled'; readonly endpoint: string; readonly reason: string }
  /** Complaints have paused the campaigns that were being sent. */
  | ({ readonly type: 'campaigns-paused' } & ComplaintCounts)
  /** A passkey was added to the admin's account at the time `since`. */
  | { readonly type: 'passkey-added'; readonly since: number }
  | ({ readonly type: 'weekly' } & WeeklyReport);

/** The figures of a week, formatted for an admin. */
export interface WeeklyReport {
  /** The days of the week: `16 – 22 March 2026`. */
  readonly period: string;
  /** Formatted text. `change` compares with the previous week and may be empty. */
  readonly figures: readonly WeeklyFigure[];
  /** Signups per day, the first day first. */
  readonly dailySignups: readonly WeeklyDay[];
}

interface WeeklyFigure {
  readonly label: string;
  readonly value: string;
  readonly change: string;
}

interface WeeklyDay {
  /** `Mon`. */
  readonly label: string;
  readonly signups: number;
}

/** Parses a stored notice. Throws if the JSON is invalid. */
export function readNotice(data: unknown): Notice {
  const [type, since, signups] = [readField(data, 'type'), readField(data, 'since'), readField(data, 'signups')];
  if (typeof since === 'number') {
    if (type === 'passkey-added') return { type, since };
    if (type === 'signups' && typeof signups === 'number') return { type, signups, since };
    const [emails, complaints] = [readField(data, 'emails'), readField(data, 'complaints')];
    if (type === 'campaigns-paused' && typeof emails === 'number' && typeof complaints === 'number')
      return { type, since, emails, complaints };
  }
  const [endpoint, reason] = [readField(data, 'endpoint'), readField(data, 'reason')];
  if (type === 'webhook-disabled' && typeof endpoint === 'string' && typeof reason === 'string')
    return { type, endpoint, reason };
  const [period, figures] = [readField(data, 'period'), readField(data, 'figures')];
  // Reports queued by version 1.0 do not contain them.
  const dailySignups = readField(data, 'dailySignups') ?? [];
  if (type === 'weekly' && typeof period === 'string' && isListOf(figures, isFigure) && isListOf(dailySignups, isDay))
    return { type, period, figures, dailySignups };
  throw new TypeError('a notice has an unknown type');
}

function isListOf<Item>(list: unknown, isItem: (item: unknown) => item is Item): list is Item[] {
  return Array.isArray(list) && list.every(isItem);
}

function isDay(day: unknown): day is WeeklyDay {
  return typeof readField(day, 'label') === 'string' && typeof readField(day, 'signups') === 'number';
}

function isFigure(figure: unknown): figure is WeeklyFigure {
  return ['label', 'value', 'change'].every((name) => typeof readField(figure, name) === 'string');
}
