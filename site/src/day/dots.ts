import { SAMPLE } from '../sample-card/pricing.ts';

/** A sheet of dots, one per minute. Each row has 20, so three rows are an hour. */
export const COLUMNS = 20;
export const PITCH = 10;

export const countRows = (minutes: number) => Math.ceil(minutes / COLUMNS);

/** A row of dots, drawn as a dashed line in which every dash is a dot. */
function run(row: number, from: number, to: number): string {
  const x = from * PITCH + PITCH / 2;
  return from < to ? `M${x} ${row * PITCH + PITCH / 2}h${(to - from - 1) * PITCH + 1}` : '';
}

/** The dots of the minutes in a half-open range, in order. */
export function minutes(from: number, to: number): string {
  let path = '';
  for (let row = Math.floor(from / COLUMNS); row < countRows(to); row++) {
    path += run(row, Math.max(from - row * COLUMNS, 0), Math.min(to - row * COLUMNS, COLUMNS));
  }
  return path;
}

/** A group of dots of one size, in sheet units. */
export interface Screen {
  readonly size: number;
  readonly path: string;
}

const SUN = { column: 13, radius: 4.8 };
const SKY_SIZE = 1.8;
const SUN_SIZE = 9;
/** The sea gets darker toward the bottom, as in the print. */
const SEA_SIZES = { from: 3.6, to: 9.4 };

/** Draws the minutes of a day that remain after the spent ones as a halftone of the sample's print. */
export function freeMinutes(spent: number, day: number): Screen[] {
  const rows = countRows(day);
  const horizon = Math.round((1 - SAMPLE.margin) * rows);
  let sky = '';
  let sun = '';
  for (let row = 0; row < horizon; row++) {
    const [rise, set] = findSunColumns(horizon - row - 0.5);
    sky += run(row, Math.max(spent - row * COLUMNS, 0), rise) + run(row, set, COLUMNS);
    sun += run(row, rise, set);
  }
  const sea = Array.from({ length: rows - horizon }, (_, depth) => {
    const share = depth / (rows - horizon - 1);
    const size = SEA_SIZES.from + share * (SEA_SIZES.to - SEA_SIZES.from);
    return { size: Math.round(size * 10) / 10, path: run(horizon + depth, 0, COLUMNS) };
  });
  return [{ size: SKY_SIZE, path: sky }, { size: SUN_SIZE, path: sun }, ...sea];
}

/** Returns the columns that the sun covers at a height above the horizon, in rows. */
function findSunColumns(height: number): [from: number, to: number] {
  if (height > SUN.radius) return [COLUMNS, COLUMNS];
  const half = Math.sqrt(SUN.radius ** 2 - height ** 2);
  return [Math.round(SUN.column - half), Math.round(SUN.column + half)];
}
