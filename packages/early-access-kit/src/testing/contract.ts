import type { StorageAdapter, StorageCall } from '../core/adapter.ts';
import { isStorageError, type StorageErrorCode } from '../core/errors.ts';
import type { FieldDeclarations } from '../core/fields.ts';
import type { SessionRecord, StoredSignup } from '../core/records.ts';

/** An adapter with an empty store, plus the properties that `inspect` and `dispose` need to access that store. */
export interface ContractSubject {
  readonly adapter: StorageAdapter;
}

/**
 * The contents of the store, read without the adapter, so that the adapter cannot vouch for itself. Omit the optional
 * fields (`page_url`, `landing_path`, `utm_*`, `fields`) if the database has null for them: the contract compares whole
 * records, and an unknown field must be absent.
 */
export interface StoreContents {
  readonly signups: readonly StoredSignup[];
  readonly sessions: readonly SessionRecord[];
  /** The recipient of each welcome email that was handed to the mail service, in any order. */
  readonly welcomed: readonly string[];
}

/** The methods that not every adapter has. */
export type OptionalCall = Extract<StorageCall, 'inbox' | 'share' | 'count'>;

/** The adapter to be tested, and how to read its storage without it. */
export interface AdapterContract<Subject extends ContractSubject> {
  /** The suite's title. */
  readonly name: string;
  /**
   * Creates a subject with the given admin. Runs before each test. Tests run one after another, so subjects may share
   * one database if `create` empties it, which is far faster than starting a database for each test.
   * - `now`: epoch milliseconds, the store's clock if the capability `clock` is set.
   * - `deadlineMs`: only set by the tests of `breakStore`. Pass it on if the adapter's deadline can be configured;
   *   otherwise they take
   *   longer.
   */
  create(options: {
    adminEmail: string;
    now: () => number;
    deadlineMs?: number | undefined;
  }): Subject | Promise<Subject>;
  inspect(subject: Subject): StoreContents | Promise<StoreContents>;
  dispose?(subject: Subject): void | Promise<void>;
  /**
   * The host's own fields that the subject's store declares. The suite then stores values of each, and sends values
   * that must be refused. Without it, nothing about fields is checked.
   */
  readonly fields?: FieldDeclarations;
  /**
   * The optional methods that the subject's store is set up to serve: `inbox`, `share`, `count`. The suite checks
   * only these: an adapter may have a method that a store does not serve.
   */
  readonly optional?: readonly OptionalCall[];
  /**
   * Controls that the suite has from outside, so that it can check more. No capability exempts the adapter from a
   * guarantee.
   * - `clock`: the store's clock can be set.
   * - `loseAnswer`: makes the store execute the next call and lose its response.
   * - `breakStore`: breaks the store for good, below the adapter. Without it, nothing checks that the adapter only
   *   rejects with
   *   `StorageError` and within its deadline. `fail`: every access to the store fails as in a broken database, for example because its
   *   connection is closed or its tables are gone. `hang`: the store never responds; omit it if the store cannot hang.
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

/** The subject of a running test. */
export interface ContractFixture {
  readonly adapter: StorageAdapter;
  readonly clock: { now: number };
  contents(): Promise<StoreContents>;
  loseAnswer(): Promise<void>;
  breakStore(how: 'fail' | 'hang'): Promise<void>;
}

/** Runs a test on a fresh subject. */
export type WithFixture = (
  test: (fixture: ContractFixture) => Promise<void>,
  options?: { deadlineMs?: number },
) => () => Promise<void>;

export const ADMIN_EMAIL = 'owner@example.com';

/**
 * Returns the code that a call fails with; `none` if it succeeds, so that an expectation on it never passes by
 * accident.
 */
export async function getFailureCode(
  call: Promise<unknown>,
): Promise<StorageErrorCode | 'none' | 'not a StorageError'> {
  try {
    await call;
    return 'none';
  } catch (error) {
    return isStorageError(error) ? error.code : 'not a StorageError';
  }
}
