/** The billed operations of all requests so far. */
export interface Calls {
  /** Documents that were returned, were missing, or were read by rules. A query without results counts as one. */
  readonly documentReads: number;
  /** One per 1,000 index entries matched by an aggregation, at least one. */
  readonly aggregationReads: number;
  readonly writes: number;
  readonly deletes: number;
  reset(): void;
}

/** The counters, writable for the engine. */
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
