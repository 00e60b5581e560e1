import { type Log, reasonOf } from '../log.ts';
import type { AnalyticsStore } from './analytics.ts';

/**
 * What is counted and stored nowhere else: visits of robots, and signups that a human check refused because their token was missing,
 * refused by its verifier or used already, or because the verifier could not be reached.
 */
export const TALLIES = ['robots', 'human_missing', 'human_refused', 'human_replayed', 'human_unreachable'] as const;
export type Tally = (typeof TALLIES)[number];
export type Tallies = Readonly<Record<Tally, number>>;

/** One value for each tally. */
export function talliesOf(countOf: (tally: Tally) => number): Tallies {
  return {
    robots: countOf('robots'),
    human_missing: countOf('human_missing'),
    human_refused: countOf('human_refused'),
    human_replayed: countOf('human_replayed'),
    human_unreachable: countOf('human_unreachable'),
  };
}

export const NO_TALLIES = talliesOf(() => 0);

/** How long events wait for the next write. */
const BATCH_MS = 10_000;

/** Counts in memory and stores the counts together, so that crawlers and bots cause few writes. */
export interface TallyCounter {
  count(tally: Tally): void;
  /** Stores what was counted. */
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
      await store.addTallies(talliesOf((tally) => counts.get(tally) ?? 0));
    } catch (error) {
      // A number that is only a hint is not worth a retry.
      log('warn', 'tallies-not-stored', { ...Object.fromEntries(counts), reason: reasonOf(error) });
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
