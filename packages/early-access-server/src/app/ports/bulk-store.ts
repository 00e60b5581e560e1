import type { BulkDecision, BulkRecord } from '../people/bulk.ts';

/** The part of a store that holds actions on many people. At most one of them has not ended, the newest. */
export interface BulkStore {
  /** The newest first. */
  list(limit: number): Promise<readonly BulkRecord[]>;
  /**
   * Decides about the newest action, null if there is none, while no other decision comes between. `decide` may be
   * called again, but one call is stored.
   */
  update<T>(decide: (newest: BulkRecord | null) => BulkDecision<T>): Promise<T>;
  /** The ids of people in a part; none if it is not stored. */
  part(number: number, part: number): Promise<readonly string[]>;
}
