import type { Write } from './values.ts';

/** What is read of every response: the store's time. Reads are answered with a list. */
export type Answer = { commitTime?: string; readTime?: string } | readonly { readTime?: string }[];

/** Calls under one deadline. They reject with whatever came of it; `attempt` makes a `StorageError` of that. */
export interface Calls {
  /** The parsed response to a call of Firestore's API; undefined if it refuses. */
  ask<Body extends Answer>(verb: string, body: unknown): Promise<Body | undefined>;
  /** Whether the write was committed: false if it is refused; rejects if nobody knows. */
  commit(write: Write): Promise<boolean>;
  /** The result of a callable function. */
  call<Result>(name: string, data: unknown): Promise<Result | undefined>;
}

export interface Connection {
  /** How many milliseconds the store's clock is ahead of this one; undefined until the store has answered. */
  aheadMs(): number | undefined;
  /** The name of a document in writes and reads. */
  name(collection: string, id: string): string;
  /**
   * Runs calls under one deadline and rejects with a `StorageError` only. With `final` the first call leaves before anything
   * is awaited, with the tokens of the calls before, because a page that is being closed waits for nothing.
   */
  attempt<T>(run: (calls: Calls) => Promise<T>, final?: boolean): Promise<T>;
}
