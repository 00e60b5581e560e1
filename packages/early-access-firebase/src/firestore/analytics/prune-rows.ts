import { startOfHour } from './archive.ts';
import { type Row, UNKNOWN } from './rows.ts';

/**
 * Returns a function that makes sums of the rows of sessions from before `time`, which are no longer stored: their hour
 * is left, and not whose they are. The next row of the visitor says when the one before was, so that distinct visitors
 * stay the same. Takes rows in order.
 */
export function rowPruner(time: number): (row: Row) => Row {
  const last = new Map<Row['visitor'], number>();
  return (row) => {
    const { at, visitor } = row;
    if (visitor === null || visitor === UNKNOWN) return row;
    const previous = last.get(visitor) ?? row.previous;
    if (at >= time) {
      last.delete(visitor);
      return { ...row, previous };
    }
    last.set(visitor, startOfHour(at));
    return { ...row, at: startOfHour(at), visitor: UNKNOWN, previous };
  };
}
