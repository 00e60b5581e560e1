import type { DashboardResponse, PeriodFigures } from 'early-access-server/admin-api';
import { formatChange, formatDuration, formatNumber, formatPercent } from '../format/format.ts';

export interface Figure {
  readonly name: string;
  readonly value: string;
  /** Against the previous period; null if there is nothing to compare with. */
  readonly change: { readonly text: string; readonly look: 'good' | 'bad' | 'same' } | null;
}

/**
 * The six figures of the overview. The overlay has other names, because its figures are of the last 30 times 24 hours or of all time. With a filter visitors count once a day.
 */
export function listFigures(
  { figures, previous }: Pick<DashboardResponse, 'figures' | 'previous'>,
  isFiltered: boolean,
): readonly Figure[] {
  const figure = (
    name: string,
    read: (figures: PeriodFigures) => number | null,
    format: (value: number | null) => string,
    better: 'higher' | 'lower' = 'higher',
  ): Figure => {
    const value = read(figures);
    const before = previous && read(previous);
    const text = formatChange(value, before);
    if (text === null || value === null || before === null) return { name, value: format(value), change: null };
    const isHigher = value > before;
    const look = text === '0%' ? 'same' : isHigher === (better === 'higher') ? 'good' : 'bad';
    return { name, value: format(value), change: { text, look } };
  };
  const whole = (value: number | null) => formatNumber(value ?? 0);
  return [
    figure(nameVisitors(isFiltered), ({ visitors }) => visitors, whole),
    figure('Sessions', ({ sessions }) => sessions, whole),
    figure('New signups', ({ signups }) => signups, whole),
    figure('Conversion', ({ signups, visitors }) => ratio(signups, visitors), formatPercent),
    figure('Bounced sessions', ({ bounces, sessions }) => ratio(bounces, sessions), formatPercent, 'lower'),
    figure('Time per session', ({ duration, timed_sessions }) => ratio(duration, timed_sessions), formatDuration),
  ];
}

export function nameVisitors(isDaily: boolean): string {
  return isDaily ? 'Daily visitors' : 'Visitors';
}

/** Null if there is nothing to divide by. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
