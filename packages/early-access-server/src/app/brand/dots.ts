/** Dot pictures in which each dot represents people: the overview's chart, the weekly email and the place in line. */

const NUMBER = new Intl.NumberFormat('en');

/** The number of people per dot: the first of 1, 2, 5, 10, 20, … for which the dots fit. */
export function peoplePerDot(hasRoom: (people: number) => boolean): number {
  for (let power = 1; ; power *= 10) {
    for (const step of [1, 2, 5]) if (hasRoom(step * power)) return step * power;
  }
}

export function describeDot(people: number): string {
  return people === 1 ? 'One dot per person' : `One dot per ${NUMBER.format(people)} people`;
}

/** SVG paths that show a place in line. Their strokes are dashed, and each dash is a dot. */
export interface Line {
  readonly viewBox: string;
  /** The dots of the people ahead. */
  readonly ahead: string;
  readonly own: string;
  readonly people: number;
}

const COLUMNS = 20;
const MOST_ROWS = 5;
const PITCH = 10;

/** `place` counts from 1. */
export function drawLine(place: number): Line {
  const people = peoplePerDot((step) => Math.ceil((place - 1) / step) < COLUMNS * MOST_ROWS);
  const ahead = Math.ceil((place - 1) / people);
  const rows = Math.floor(ahead / COLUMNS) + 1;
  const paths = Array.from({ length: rows }, (_, row) => drawRow(row, 0, Math.min(COLUMNS, ahead - row * COLUMNS)));
  return {
    viewBox: `0 0 ${COLUMNS * PITCH} ${rows * PITCH}`,
    ahead: paths.join(''),
    own: drawRow(rows - 1, ahead % COLUMNS, (ahead % COLUMNS) + 1),
    people,
  };
}

/** The dots of columns `from` (included) to `to` (excluded). */
function drawRow(row: number, from: number, to: number): string {
  const at = (index: number) => index * PITCH + PITCH / 2;
  return from < to ? `M${at(from)} ${at(row)}h${(to - from - 1) * PITCH + 1}` : '';
}
