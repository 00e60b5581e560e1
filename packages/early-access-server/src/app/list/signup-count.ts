import { MINUTE_MS } from 'early-access-kit/core';
import type { Clock } from '../ports/clock.ts';
import type { ListStore } from '../ports/list-store.ts';
import type { PersonState } from './states.ts';

/** How the number is rounded down, by the size of the step. */
const COUNT_STEPS = { exact: 1, tens: 10, hundreds: 100 } as const;

export interface SignupCountOptions {
  /** The smallest number that is shown. */
  readonly smallest: number;
  /** `tens` by default. */
  readonly rounding?: keyof typeof COUNT_STEPS | undefined;
}

/** Pages may keep it as long in their caches. */
export const COUNT_MAX_AGE_MS = MINUTE_MS;

/** People who have confirmed, if they have to, and want email. */
const COUNTED: readonly PersonState[] = ['subscribed', 'invited', 'joined'];

/** Reads the number that anyone may see; null if it is too small to be shown, or 0 when rounded. The store is asked at most once a minute. */
export function signupCount(
  { smallest, rounding = 'tens' }: SignupCountOptions,
  { list, clock }: { readonly list: Pick<ListStore, 'counts'>; readonly clock: Clock },
): () => Promise<number | null> {
  let latest: Promise<number> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function readTotal(): Promise<number> {
    const counts = await list.counts();
    return COUNTED.reduce((total, state) => total + (counts.get(state) ?? 0), 0);
  }

  return async () => {
    if (latest === undefined || clock() - readAt >= COUNT_MAX_AGE_MS) {
      latest = readTotal();
      readAt = clock();
      // The next caller tries again.
      latest.catch(() => {
        latest = undefined;
      });
    }
    const total = await latest;
    const rounded = total - (total % COUNT_STEPS[rounding]);
    return total < smallest || rounded === 0 ? null : rounded;
  };
}
