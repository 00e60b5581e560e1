import type { StorageAdapter } from '../core/adapter.ts';
import { isStorageError, type StorageErrorCode } from '../core/errors.ts';
import type { SessionRecord, StoredSignup } from '../core/records.ts';

/** An adapter on an empty store of its own, and whatever `inspect` and `dispose` need to reach that store. */
export interface ContractSubject {
  readonly adapter: StorageAdapter;
}

/** The store as it is, read past the adapter, so that no adapter vouches for itself. */
export interface StoreContents {
  readonly signups: readonly StoredSignup[];
  readonly sessions: readonly SessionRecord[];
  /** The addressee of each welcome email that was handed over, in any order. */
  readonly welcomed: readonly string[];
}

export interface AdapterContract<Subject extends ContractSubject> {
  /** The suite's title. */
  readonly name: string;
  /** Makes a subject with the given owner. The store goes by `now` (epoch milliseconds) if the capability `clock` is set. */
  create(options: { adminEmail: string; now: () => number }): Subject | Promise<Subject>;
  inspect(subject: Subject): StoreContents | Promise<StoreContents>;
  dispose?(subject: Subject): void | Promise<void>;
  /**
   * What can be arranged from outside, so that more can be checked; none of it excuses the adapter from a guarantee.
   * - `clock`: the store's clock can be set.
   * - `loseAnswer`: makes the store act on the next call and lose its answer on the way back.
   */
  readonly capabilities?: {
    readonly clock?: boolean;
    loseAnswer?(subject: Subject): void | Promise<void>;
  };
}

/** One running test's view of the subject. */
export interface Bench {
  readonly adapter: StorageAdapter;
  readonly clock: { now: number };
  contents(): Promise<StoreContents>;
  loseAnswer(): Promise<void>;
}

/** Runs a test on a fresh subject. */
export type WithBench = (test: (bench: Bench) => Promise<void>) => () => Promise<void>;

export const ADMIN_EMAIL = 'owner@example.com';

/** The code that a call fails with; `none` where it succeeds, so that an expectation on it never passes by accident. */
export async function failureOf(call: Promise<unknown>): Promise<StorageErrorCode | 'none' | 'not a StorageError'> {
  try {
    await call;
    return 'none';
  } catch (error) {
    return isStorageError(error) ? error.code : 'not a StorageError';
  }
}
