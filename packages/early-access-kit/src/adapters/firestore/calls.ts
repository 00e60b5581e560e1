import type { SignupResult } from '../../core/adapter.ts';
import type { Write } from './values.ts';

/** The store's time, present in every response. Reads return a list of these. */
export type FirestoreResponse = { commitTime?: string; readTime?: string } | readonly { readTime?: string }[];

/** Calls that share one deadline. They reject with the original error; `attempt` converts it to a `StorageError`. */
export interface Calls {
  /** Returns the parsed response of a Firestore call; undefined if Firestore denies it. */
  send<Body extends FirestoreResponse>(verb: string, body: unknown): Promise<Body | undefined>;
  /** Returns whether the write was committed: false if it was denied. Rejects if that is unknown. */
  commit(write: Write): Promise<boolean>;
  /** Signs up through the functions' HTTP route. */
  signUp(url: string, signup: unknown): Promise<SignupResult>;
  /** Returns the result of a callable function. */
  call<Result>(name: string, data: unknown): Promise<Result | undefined>;
}

export interface Connection {
  /** Returns how many milliseconds the store's clock is ahead of the visitor's; undefined before the first response. */
  aheadMs(): number | undefined;
  /** Returns the resource name of a document. */
  name(collection: string, id: string): string;
  /**
   * Runs calls under one deadline and only rejects with `StorageError`. With `final`, the first request is sent
   * synchronously with the tokens of earlier calls, because a page that is being closed does not wait.
   */
  attempt<T>(run: (calls: Calls) => Promise<T>, final?: boolean): Promise<T>;
}
