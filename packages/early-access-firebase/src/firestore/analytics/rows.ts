import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { DIMENSIONS, type Dimension, type TrafficSource } from 'early-access-server/internal';

/** The tracker's ids are 32-bit hexadecimal numbers and stored as numbers; other ids are stored as they are. */
type VisitorKey = number | string;

/** The visitor of a session whose document is deleted. */
export const UNKNOWN = '';

/** The part of a session or signup that figures are computed from. */
export interface Row {
  /** `session_start` or `created_at`. */
  readonly at: number;
  /** Null for a signup. */
  readonly visitor: VisitorKey | typeof UNKNOWN | null;
  /** The hour of the visitor's previous session if its document is deleted. */
  readonly previous: number | null;
  readonly trafficSource: TrafficSource;
  /** The paths of the views after the first. */
  readonly views: readonly string[];
  readonly duration: number;
  readonly bounce: boolean;
  readonly engaged: boolean;
  /** The person who signed up has joined. */
  readonly joined: boolean;
}

/** A Firestore document has at most 1 MiB. */
const MAX_BYTES = 800_000;

const NO_SOURCE = toTrafficSource([]);
/** Shared by all rows, because millions of them may be in memory. */
const NO_VIEWS: Row['views'] = [];

export function visitorKey(id: string): VisitorKey {
  return /^[0-9a-f]{8}$/.test(id) ? Number.parseInt(id, 16) : id;
}

/** Columns compress better than rows. Times are differences from the previous row. */
interface Columns {
  /** Values in the order of `DIMENSIONS`. */
  readonly sources: string[][];
  readonly times: number[];
  readonly visitors: (VisitorKey | null)[];
  readonly previous: (number | null)[];
  /** Indexes in `sources`, one per row. */
  readonly source: number[];
  readonly paths: string[];
  /** Indexes of all views in `paths`, and the number of views per row. */
  readonly views: number[];
  readonly viewCounts: number[];
  readonly durations: number[];
  /** 1: a bounce, 2: engaged, 4: joined. */
  readonly flags: number[];
}

/** Packs rows, ordered by time, into as few documents as possible. A row takes about ten bytes. */
export function pack(rows: readonly Row[]): { readonly rows: readonly Row[]; readonly bytes: Buffer }[] {
  if (rows.length === 0) return [];
  const bytes = deflateRawSync(JSON.stringify(toColumns(rows)));
  if (bytes.length <= MAX_BYTES || rows.length === 1) return [{ rows, bytes }];
  const half = Math.ceil(rows.length / 2);
  return [...pack(rows.slice(0, half)), ...pack(rows.slice(half))];
}

export function unpack(bytes: Uint8Array): Row[] {
  const columns: Columns = JSON.parse(inflateRawSync(bytes).toString());
  const trafficSources = columns.sources.map(toTrafficSource);
  let [at, viewed] = [0, 0];
  return columns.times.map((sinceLast, index) => {
    at += sinceLast;
    const flags = columns.flags[index] ?? 0;
    const count = columns.viewCounts[index] ?? 0;
    viewed += count;
    return {
      at,
      visitor: columns.visitors[index] ?? null,
      previous: columns.previous[index] ?? null,
      trafficSource: trafficSources[columns.source[index] ?? 0] ?? NO_SOURCE,
      views:
        count === 0 ? NO_VIEWS : columns.views.slice(viewed - count, viewed).map((path) => columns.paths[path] ?? ''),
      duration: columns.durations[index] ?? 0,
      bounce: (flags & 1) !== 0,
      engaged: (flags & 2) !== 0,
      joined: (flags & 4) !== 0,
    };
  });
}

function toColumns(rows: readonly Row[]): Columns {
  const columns: Columns = {
    sources: [],
    times: [],
    visitors: [],
    previous: [],
    source: [],
    paths: [],
    views: [],
    viewCounts: [],
    durations: [],
    flags: [],
  };
  const indexes = new Map<string, number>();
  const pathIndexes = new Map<string, number>();
  const indexPath = (path: string) => {
    const index = pathIndexes.get(path) ?? columns.paths.push(path) - 1;
    pathIndexes.set(path, index);
    return index;
  };
  let last = 0;
  for (const { at, visitor, previous, trafficSource, views, duration, bounce, engaged, joined } of rows) {
    const values = DIMENSIONS.map((dimension) => trafficSource[dimension]);
    const name = JSON.stringify(values);
    const index = indexes.get(name) ?? columns.sources.push(values) - 1;
    indexes.set(name, index);
    columns.times.push(at - last);
    columns.visitors.push(visitor);
    columns.previous.push(previous);
    columns.source.push(index);
    columns.views.push(...views.map(indexPath));
    columns.viewCounts.push(views.length);
    columns.durations.push(duration);
    columns.flags.push((bounce ? 1 : 0) + (engaged ? 2 : 0) + (joined ? 4 : 0));
    last = at;
  }
  return columns;
}

function toTrafficSource(values: readonly string[]): TrafficSource {
  const of = (dimension: Dimension) => values[DIMENSIONS.indexOf(dimension)] ?? '';
  return {
    referrer_host: of('referrer_host'),
    utm_source: of('utm_source'),
    utm_medium: of('utm_medium'),
    utm_campaign: of('utm_campaign'),
    landing_path: of('landing_path'),
    device_type: of('device_type'),
    browser: of('browser'),
    os: of('os'),
    visitor_type: of('visitor_type'),
    country: of('country'),
  };
}
