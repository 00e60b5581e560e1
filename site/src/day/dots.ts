/** A sheet of dots, one a minute, twenty to the row, so that three rows are an hour. */
export const COLUMNS = 20;
export const PITCH = 10;

export const rowsOf = (minutes: number) => Math.ceil(minutes / COLUMNS);

/** Dots beside each other, as one dashed line whose every dash is a dot. */
export function run(row: number, from: number, to: number): string {
  const x = from * PITCH + PITCH / 2;
  return from < to ? `M${x} ${row * PITCH + PITCH / 2}h${(to - from - 1) * PITCH + 1}` : '';
}

/** The dots of the minutes from one to before another, in the order in which they pass. */
export function minutes(from: number, to: number): string {
  let path = '';
  for (let row = Math.floor(from / COLUMNS); row < rowsOf(to); row++) {
    path += run(row, Math.max(from - row * COLUMNS, 0), Math.min(to - row * COLUMNS, COLUMNS));
  }
  return path;
}
