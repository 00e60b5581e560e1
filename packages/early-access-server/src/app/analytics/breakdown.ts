import { type BreakdownRow, OTHER } from './analytics.ts';

/** Rows of a breakdown; the rest is added up. */
const MAX_ROWS = 100;

/** Adds up what is counted for each value of a dimension. */
export class BreakdownSums {
  readonly #rows = new Map<string, { value: string; visitors: number; signups: number }>();

  add(value: string, visitors: number, signups: number): void {
    const row = this.#rows.get(value);
    if (row === undefined) this.#rows.set(value, { value, visitors, signups });
    else {
      row.visitors += visitors;
      row.signups += signups;
    }
  }

  /** The rows with the most visitors, then signups, then by value. */
  rows(): readonly BreakdownRow[] {
    const sorted = [...this.#rows.values()]
      .filter(({ visitors, signups }) => visitors > 0 || signups > 0)
      .sort((a, b) => b.visitors - a.visitors || b.signups - a.signups || (a.value < b.value ? -1 : 1));
    if (sorted.length <= MAX_ROWS) return sorted;
    const top = new BreakdownSums();
    for (const [index, { value, visitors, signups }] of sorted.entries())
      top.add(index < MAX_ROWS - 1 ? value : OTHER, visitors, signups);
    return top.rows();
  }
}
