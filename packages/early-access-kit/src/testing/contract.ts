import type { StorageAdapter } from '../core/adapter.ts';
import { isStorageError, type StorageErrorCode } from '../core/errors.ts';
import type { SessionRecord, StoredSignup } from '../core/records.ts';

/** An adapter on an empty store, and whatever `inspect` and `dispose` need to reach that store. */
export interface ContractSubject {
  readonly adapter: StorageAdapter;
}

/**
 * The contents of the store, read past the adapter, so that no adapter vouches for itself. Leave out a signup's attribution fields
 * (`page_url`, `utm_*`) if the database has null for them: the contract compares whole records, and an unknown one is absent.
 */
export interface StoreContents {
  readonly signups: readonly StoredSignup[];
  readonly sessions: readonly SessionRecord[];
  /** The addressee of each welcome email that was handed over, in any order. */
  readonly welcomed: readonly string[];
}

export interface AdapterContract<Subject extends ContractSubject> {
  /** The suite's title. */
  readonly name: string;
  /**
   * Makes a subject with the given admin. Runs before each test; tests run one after the other, so subjects may share one database
   * if `create` empties it, which is far faster than starting a database for each test.
   * - `now`: epoch milliseconds, the store's clock if the capability `clock` is set.
   * - `deadlineMs`: set by the tests of `breakStore` only. Pass it on if the adapter's deadline can be configured; they take longer otherwise.
   */
  create(options: {
    adminEmail: string;
    now: () => number;
    deadlineMs?: number | undefined;
  }): Subject | Promise<Subject>;
  inspect(subject: Subject): StoreContents | Promise<StoreContents>;
  dispose?(subject: Subject): void | Promise<void>;
  /**
   * What can be arranged from outside, so that more can be checked; none of it excuses the adapter from a guarantee.
   * - `clock`: the store's clock can be set.
   * - `loseAnswer`: makes the store act on the next call and lose its answer on the way back.
   * - `breakStore`: breaks the store for good, below the adapter. `fail`: every access to it fails as a broken database does, for example
   *   because its connection is closed or its tables are gone. `hang`: it never answers; leave it out if the store cannot hang.
   *   Without it, nothing checks that the adapter rejects with `StorageError` only and within its deadline.
   */
  readonly capabilities?: {
    readonly clock?: boolean;
    loseAnswer?(subject: Subject): void | Promise<void>;
    readonly breakStore?: {
      fail(subject: Subject): void | Promise<void>;
      hang?(subject: Subject): void | Promise<void>;
    };
  };
}

/** One running test's view of the subject. */
export interface Bench {
  readonly adapter: StorageAdapter;
  readonly clock: { now: number };
  contents(): Promise<StoreContents>;
  loseAnswer(): Promise<void>;
  breakStore(how: 'fail' | 'hang'): Promise<void>;
}

/** Runs a test on a fresh subject. */
export type WithBench = (
  test: (bench: Bench) => Promise<void>,
  options?: { deadlineMs?: number },
) => () => Promise<void>;

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
