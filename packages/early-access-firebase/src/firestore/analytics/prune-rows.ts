import { startOfHour } from './archive.ts';
import { type Row, UNKNOWN } from './rows.ts';

/**
 * Returns a function that anonymizes rows of sessions before `time`, whose documents are deleted: it rounds their time
 * to the hour and removes the visitor. The visitor's next row gets the time of the previous session, so that distinct
 * visitors can still be counted. Call it with rows in order.
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
