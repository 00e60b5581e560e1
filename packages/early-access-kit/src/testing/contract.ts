import type { StorageAdapter, StorageCall } from '../core/adapter.ts';
import { isStorageError, type StorageErrorCode } from '../core/errors.ts';
import type { FieldDeclarations } from '../core/fields.ts';
import type { SessionRecord, StoredSignup } from '../core/records.ts';

/** An adapter with an empty store, plus the properties that `inspect` and `dispose` need to access that store. */
export interface ContractSubject {
  readonly adapter: StorageAdapter;
}

/**
 * The contents of the store, read without the adapter. Omit the optional fields (`page_url`, `landing_path`, `utm_*`,
 * `fields`) if the database has null for them: the contract compares whole records, in which unknown fields are absent.
 */
export interface StoreContents {
  readonly signups: readonly StoredSignup[];
  readonly sessions: readonly SessionRecord[];
  /** The recipient of each welcome email that was handed to the mail service, in any order. */
  readonly welcomed: readonly string[];
}

/** The methods that are optional. */
export type OptionalCall = Extract<StorageCall, 'inbox' | 'share' | 'count'>;

/** The adapter under test, and how to read its store without it. */
export interface AdapterContract<Subject extends ContractSubject> {
  /** The suite's title. */
  readonly name: string;
  /**
   * Creates a subject with the given admin. Runs before each test. Tests run one after another, so subjects may share
   * one database if `create` empties it, which is far faster than starting a database for each test.
   * - `now`: epoch milliseconds, the store's clock if the capability `clock` is set.
   * - `deadlineMs`: only set by the tests of `breakStore`. Pass it on if the adapter's deadline can be configured;
   *   otherwise they take longer.
   */
  create(options: {
    adminEmail: string;
    now: () => number;
    deadlineMs?: number | undefined;
  }): Subject | Promise<Subject>;
  inspect(subject: Subject): StoreContents | Promise<StoreContents>;
  dispose?(subject: Subject): void | Promise<void>;
  /**
   * The host's own fields that the subject's store declares. The suite then stores values of each and expects invalid
   * values to be rejected. If missing, fields are not checked.
   */
  readonly fields?: FieldDeclarations;
  /**
   * The optional methods that the subject's store supports: `inbox`, `share`, `count`. The suite only checks these,
   * because an adapter may have a method that a store does not support.
   */
  readonly optional?: readonly OptionalCall[];
  /**
   * Ways to control the store from outside, so that the suite can check more. No capability exempts the adapter from a
   * guarantee.
   * - `clock`: the store's clock can be set.
   * - `loseAnswer`: makes the store execute the next call and lose its response.
   * - `breakStore`: breaks the store permanently, below the adapter. If missing, nothing checks that the adapter only
   *   rejects with `StorageError` and within its deadline. `fail`: every access to the store fails as in a broken
   *   database, for example because its connection is closed or its tables are gone. `hang`: the store never responds;
   *   omit it if the store cannot hang.
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

/** Returns the error code of a failing call; `none` if it succeeds, so that an expectation never passes by accident. */
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
