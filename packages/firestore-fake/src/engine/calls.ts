/** What the requests so far would be billed as. */
export interface Calls {
  /** Documents returned, looked up in vain or read by rules; a query without results counts as one. */
  readonly documentReads: number;
  /** One for each 1,000 index entries that an aggregation matched, at least one. */
  readonly aggregationReads: number;
  readonly writes: number;
  readonly deletes: number;
  reset(): void;
}

/** The counters, with the engine's side to them. */
export class CallCounter implements Calls {
  documentReads = 0;
  aggregationReads = 0;
  writes = 0;
  deletes = 0;

  reset(): void {
    this.documentReads = 0;
    this.aggregationReads = 0;
    this.writes = 0;
    this.deletes = 0;
  }
}
