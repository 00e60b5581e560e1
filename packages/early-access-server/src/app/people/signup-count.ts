import { MINUTE_MS } from 'early-access-kit/internal';
import { ON_LIST, type PersonState } from '../lifecycle/states.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';

/** Steps to which the number is rounded down. */
const COUNT_STEPS = { exact: 1, tens: 10, hundreds: 100 } as const;

export interface SignupCountOptions {
  /** Smaller numbers are not shown. */
  readonly smallest: number;
  /** `tens` by default. */
  readonly rounding?: keyof typeof COUNT_STEPS | undefined;
}

/** Also how long pages may cache it. */
export const COUNT_MAX_AGE_MS = MINUTE_MS;

/**
 * The states that count: these people have confirmed, if necessary, and want email. If signups need no confirmation,
 * most pending people have opted out before, and leaving them out would reveal that an address has opted out.
 */
function listCounted(confirm: boolean): readonly PersonState[] {
  return [...ON_LIST, ...(confirm ? [] : (['pending'] as const))];
}

/** Reads the public signup count, at most once a minute. Null if it is too small to be shown or rounds to 0. */
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
      // After a failure, the next caller tries again.
      latest.catch(() => {
        latest = undefined;
      });
    }
    const total = await latest;
    const rounded = total - (total % COUNT_STEPS[rounding]);
    return total < smallest || rounded === 0 ? null : rounded;
  };
}
