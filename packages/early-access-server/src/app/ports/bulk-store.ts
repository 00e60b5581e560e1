import type { BulkDecision, BulkRecord } from '../people/bulk.ts';

/** The part of a store for bulk actions. Only the newest one can be unfinished. */
export interface BulkStore {
  /** Newest first. */
  list(limit: number): Promise<readonly BulkRecord[]>;
  /**
   * Decides about the newest action (null if there is none) atomically. `decide` may be called several times, but only
   * one decision is stored.
   */
  update<T>(decide: (newest: BulkRecord | null) => BulkDecision<T>): Promise<T>;
  /** The ids of the people in a part. Empty if the part is not stored. */
  part(number: number, part: number): Promise<readonly string[]>;
}
