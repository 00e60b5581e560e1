/** A sheet of dots, one per minute. Each row has 20, so three rows are an hour. */
export const COLUMNS = 20;
export const PITCH = 10;

export const rowsOf = (minutes: number) => Math.ceil(minutes / COLUMNS);

/** A row of dots, drawn as a dashed line in which every dash is a dot. */
export function run(row: number, from: number, to: number): string {
  const x = from * PITCH + PITCH / 2;
  return from < to ? `M${x} ${row * PITCH + PITCH / 2}h${(to - from - 1) * PITCH + 1}` : '';
}

/** The dots of the minutes in a half-open range, in order. */
export function minutes(from: number, to: number): string {
  let path = '';
  for (let row = Math.floor(from / COLUMNS); row < rowsOf(to); row++) {
    path += run(row, Math.max(from - row * COLUMNS, 0), Math.min(to - row * COLUMNS, COLUMNS));
  }
  return path;
}
