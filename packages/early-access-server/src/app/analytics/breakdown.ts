import { type BreakdownRow, OTHER, type SourceCounts } from './analytics.ts';

/** Further rows are added up. */
const MAX_ROWS = 100;

export class BreakdownSums {
  readonly #rows = new Map<string, BreakdownRow>();

  add(value: string, counts: SourceCounts): void {
    const { visitors = 0, signups = 0, joined = 0 } = this.#rows.get(value) ?? {};
    this.#rows.set(value, {
      value,
      visitors: visitors + counts.visitors,
      signups: signups + counts.signups,
      joined: joined + counts.joined,
    });
  }

  /** Sorted by visitors, then by signups (both descending), then by value. */
  rows(): readonly BreakdownRow[] {
    const sorted = [...this.#rows.values()]
      .filter(({ visitors, signups }) => visitors > 0 || signups > 0)
      .sort((a, b) => b.visitors - a.visitors || b.signups - a.signups || (a.value < b.value ? -1 : 1));
    if (sorted.length <= MAX_ROWS) return sorted;
    const top = new BreakdownSums();
    for (const [index, row] of sorted.entries()) top.add(index < MAX_ROWS - 1 ? row.value : OTHER, row);
    return top.rows();
  }
}
