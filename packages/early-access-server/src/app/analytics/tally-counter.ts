import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { describeError, type Log } from '../ports/log.ts';
import { mapTallies, type Tally } from './analytics.ts';

/** How long counts are collected before they are written. */
const BATCH_MS = 10_000;

/** Counts in memory and stores several counts in one write, so that crawlers and bots cause few writes. */
export interface TallyCounter {
  count(tally: Tally): void;
  flush(): Promise<void>;
}

export function tallyCounter(store: Pick<AnalyticsStore, 'addTallies'>, log: Log): TallyCounter {
  let counted = new Map<Tally, number>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (counted.size === 0) return;
    const counts = counted;
    counted = new Map();
    try {
      await store.addTallies(mapTallies((tally) => counts.get(tally) ?? 0));
    } catch (error) {
      // The tallies are approximate, so they are not worth a retry.
      log('warn', 'tallies-not-stored', { ...Object.fromEntries(counts), reason: describeError(error) });
    }
  }

  return {
    count(tally) {
      counted.set(tally, (counted.get(tally) ?? 0) + 1);
      timer ??= setTimeout(flush, BATCH_MS).unref();
    },
    flush,
  };
}
