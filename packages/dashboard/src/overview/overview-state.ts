import {
  COMPARISONS,
  type Comparison,
  DIMENSIONS,
  type Dimension,
  RANGES,
  type Range,
} from 'early-access-server/admin-api';
import { MEASURES, type Measure } from './figures.ts';

/** The overview's state. It is stored in the URL, so that it can be shared and survives a reload. */
export interface OverviewState {
  readonly range: Range;
  /** First and last day of a custom range, inclusive: `2026-01-31`. */
  readonly from: string;
  readonly to: string;
  readonly filter: readonly Filter[];
  readonly compare: Comparison;
  /** The figure that the chart shows. */
  readonly measure: Measure;
}

export interface Filter {
  readonly dimension: Dimension;
  /** Empty: none or unknown. */
  readonly value: string;
}

const DEFAULT_RANGE: Range = '30d';

/** Reads the state from the URL. Invalid values are ignored. */
export function readOverview(params: URLSearchParams): OverviewState {
  const asked = RANGES.find((range) => range === params.get('range')) ?? DEFAULT_RANGE;
  const from = params.get('from') ?? '';
  const to = params.get('to') ?? '';
  const isComplete = isDay(from) && isDay(to) && from <= to;
  const filter = new Map(params.getAll('filter').flatMap((text) => parseFilter(text) ?? []));
  return {
    range: asked === 'custom' && !isComplete ? DEFAULT_RANGE : asked,
    from: isComplete ? from : '',
    to: isComplete ? to : '',
    filter: [...filter].map(([dimension, value]) => ({ dimension, value })),
    compare: COMPARISONS.find((name) => name === params.get('compare')) ?? 'period',
    measure: MEASURES.find((name) => name === params.get('measure')) ?? 'visitors',
  };
}

/** Returns the state as a query string. The default range is left out. */
export function writeOverview({ measure, ...state }: OverviewState): URLSearchParams {
  const params = writeFigures(state);
  if (measure !== 'visitors') params.set('measure', measure);
  return params;
}

/** The part of the state that the figures depend on. */
function writeFigures({ range, from, to, filter, compare }: Omit<OverviewState, 'measure'>): URLSearchParams {
  const params = new URLSearchParams();
  if (range !== DEFAULT_RANGE) params.set('range', range);
  if (range === 'custom') {
    params.set('from', from);
    params.set('to', to);
  }
  if (compare !== 'period') params.set('compare', compare);
  for (const { dimension, value } of filter) params.append('filter', `${dimension}:${value}`);
  return params;
}

export function dashboardQuery(state: OverviewState, zone: string): URLSearchParams {
  const query = writeFigures(state);
  query.set('range', state.range);
  query.set('zone', zone);
  return query;
}

/** Adds the filter, replacing another one of its dimension. Removes it if it was set already. */
export function toggleFilter(state: OverviewState, { dimension, value }: Filter): OverviewState {
  const others = state.filter.filter((filter) => filter.dimension !== dimension);
  const isOn = state.filter.some((filter) => filter.dimension === dimension && filter.value === value);
  return { ...state, filter: isOn ? others : [...others, { dimension, value }] };
}

/** Returns whether the day exists: `2026-02-30` does not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function parseFilter(text: string): [[Dimension, string]] | undefined {
  const colon = text.indexOf(':');
  const dimension = DIMENSIONS.find((name) => name === text.slice(0, colon));
  return dimension && [[dimension, text.slice(colon + 1)]];
}
