import type { DashboardResponse, PeriodFigures } from 'early-access-server/admin-api';
import { formatChange, formatCompact, formatDuration, formatNumber, formatPercent } from '../format/format.ts';

/** The figures of the overview. Any of them can be shown in the chart. */
export const MEASURES = ['visitors', 'sessions', 'signups', 'conversion', 'bounces', 'duration'] as const;
export type Measure = (typeof MEASURES)[number];

interface MeasureTexts {
  readonly name: string;
  /** Null if the divisor is 0. */
  readonly read: (figures: PeriodFigures) => number | null;
  readonly format: (value: number | null) => string;
  /** For the chart's axis. Default: `format`. */
  readonly formatAxis?: (value: number) => string;
  readonly better?: 'lower';
}

const whole = (value: number | null) => formatNumber(value ?? 0);

/**
 * The overlay uses other names, because its figures cover the last 30 × 24 hours or all time. With a filter, visitors
 * are counted once per day.
 */
export function describeMeasure(measure: Measure, isFiltered: boolean): MeasureTexts {
  return {
    visitors: {
      name: nameVisitors(isFiltered),
      read: ({ visitors }: PeriodFigures) => visitors,
      format: whole,
      formatAxis: formatCompact,
    },
    sessions: {
      name: 'Sessions',
      read: ({ sessions }: PeriodFigures) => sessions,
      format: whole,
      formatAxis: formatCompact,
    },
    signups: {
      name: 'New signups',
      read: ({ signups }: PeriodFigures) => signups,
      format: whole,
      formatAxis: formatCompact,
    },
    conversion: {
      name: 'Conversion',
      read: conversion,
      format: formatPercent,
    },
    bounces: {
      name: 'Bounced sessions',
      read: ({ bounces, sessions }: PeriodFigures) => ratio(bounces, sessions),
      format: formatPercent,
      better: 'lower' as const,
    },
    duration: {
      name: 'Time per session',
      read: ({ duration, timed_sessions }: PeriodFigures) => ratio(duration, timed_sessions),
      format: formatDuration,
    },
  }[measure];
}

export interface Figure {
  readonly measure: Measure;
  readonly name: string;
  readonly value: string;
  /** Compared with the other period; null if there is nothing to compare with. */
  readonly change: { readonly text: string; readonly look: 'good' | 'bad' | 'same' } | null;
}

/** Returns the figures of a period with their change from the other period. */
export function listFigures(
  { figures, previous }: Pick<DashboardResponse, 'figures' | 'previous'>,
  isFiltered: boolean,
): readonly Figure[] {
  return MEASURES.map((measure) => {
    const { name, read, format, better } = describeMeasure(measure, isFiltered);
    const value = read(figures);
    const before = previous && read(previous);
    const shown = { measure, name, value: format(value) };
    const text = formatChange(value, before);
    if (text === null || value === null || before === null) return { ...shown, change: null };
    const isBetter = value > before === (better !== 'lower');
    return { ...shown, change: { text, look: text === '0%' ? 'same' : isBetter ? 'good' : 'bad' } };
  });
}

/** New signups per visitor; null without visitors. Every conversion rate on the page is computed here. */
export function conversion({ signups, visitors }: Pick<PeriodFigures, 'signups' | 'visitors'>): number | null {
  return ratio(signups, visitors);
}

export function nameVisitors(isDaily: boolean): string {
  return isDaily ? 'Daily visitors' : 'Visitors';
}

/** Null if the divisor is 0. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
