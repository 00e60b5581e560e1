import type { AnalyticsStore } from './analytics/analytics.ts';
import { type Log, reasonOf } from './log.ts';

/** How long visits wait for the next write. */
const BATCH_MS = 10_000;

/** Counts visits of robots in memory and stores them together, so that crawlers cause few writes. */
export interface RobotCounter {
  note(): void;
  /** Stores what was counted. */
  flush(): Promise<void>;
}

export function robotCounter(store: Pick<AnalyticsStore, 'countRobots'>, log: Log): RobotCounter {
  let visits = 0;
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const counted = visits;
    visits = 0;
    if (counted === 0) return;
    try {
      await store.countRobots(counted);
    } catch (error) {
      // A number that is only a hint is not worth a retry.
      log('warn', 'robots-not-counted', { visits: counted, reason: reasonOf(error) });
    }
  }

  return {
    note() {
      visits += 1;
      timer ??= setTimeout(flush, BATCH_MS).unref();
    },
    flush,
  };
}
