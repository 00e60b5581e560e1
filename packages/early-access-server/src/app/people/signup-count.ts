import { MINUTE_MS } from 'early-access-kit/internal';
import { ON_LIST, type PersonState } from '../lifecycle/states.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';

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

/**
 * The states of people who count: they have confirmed, if they have to, and want email. If signups need not be
 * confirmed, those who wait are mostly people who have opted out before, and a number without them would tell anyone
 * that an address has.
 */
function listCounted(confirm: boolean): readonly PersonState[] {
  return [...ON_LIST, ...(confirm ? [] : (['pending'] as const))];
}

/**
 * Reads the number that anyone may see; null if it is too small to be shown, or 0 when rounded. The store is asked at
 * most once a minute.
 */
export function signupCount(
  { smallest, rounding = 'tens' }: SignupCountOptions,
  {
    store,
    clock,
  }: {
    readonly store: Pick<Store, 'confirm'> & { readonly list: Pick<Store['list'], 'counts'> };
    readonly clock: Clock;
  },
): () => Promise<number | null> {
  let latest: Promise<number> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function readTotal(): Promise<number> {
    const counts = await store.list.counts();
    return listCounted(store.confirm).reduce((total, state) => total + (counts.get(state) ?? 0), 0);
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
