import { STATUS_CODES } from 'node:http';
import type { StructuredQuery } from './firestore-indexes.ts';

/** The requests that are counted and can be made to fail. All others pass. */
export type Verb =
  | 'batchGet'
  | 'batchWrite'
  | 'beginTransaction'
  | 'commit'
  | 'rollback'
  | 'runAggregationQuery'
  | 'runQuery';

/** The fields of a REST request that are read here. */
export interface FirestoreRequest {
  readonly writes?: readonly { readonly delete?: string; readonly update?: object }[];
  readonly structuredQuery?: StructuredQuery;
  readonly structuredAggregationQuery?: {
    readonly structuredQuery?: StructuredQuery;
    readonly aggregations?: readonly Aggregation[];
  };
}

interface Aggregation {
  readonly alias?: string;
  readonly count?: object;
  readonly sum?: { readonly field?: { readonly fieldPath?: string } };
  readonly avg?: { readonly field?: { readonly fieldPath?: string } };
}

/** A response, or one of a stream of responses. */
export interface FirestoreResponse {
  readonly found?: object;
  readonly missing?: string;
  readonly document?: object;
  readonly result?: {
    readonly aggregateFields?: Readonly<Record<string, { readonly integerValue?: string } | undefined>>;
  };
}

/** The billed operations of all requests so far, except for reads by rules, which responses do not contain. */
export class Calls {
  /** Documents that were returned or missing. A query without results counts as one. */
  documentReads = 0;
  /** One per 1,000 index entries that a counting aggregation has matched, and at least one. */
  aggregationReads = 0;
  writes = 0;
  deletes = 0;

  reset(): void {
    Object.assign(this, new Calls());
  }

  /** Counts a successful request. */
  add(verb: Verb, request: FirestoreRequest, responses: readonly FirestoreResponse[]): void {
    if (verb === 'commit' || verb === 'batchWrite') {
      for (const write of request.writes ?? []) {
        if (write.delete !== undefined) this.deletes += 1;
        else if (write.update !== undefined) this.writes += 1;
      }
    }
    if (verb === 'batchGet') {
      this.documentReads += responses.filter(({ found, missing }) => (found ?? missing) !== undefined).length;
    }
    if (verb === 'runQuery') {
      this.documentReads += Math.max(1, responses.filter(({ document }) => document !== undefined).length);
    }
    if (verb === 'runAggregationQuery') {
      const { aggregations = [] } = request.structuredAggregationQuery ?? {};
      const { aggregateFields = {} } = responses.find(({ result }) => result !== undefined)?.result ?? {};
      const entries = aggregations.map(
        ({ alias = '', count }) => count && Number(aggregateFields[alias]?.integerValue),
      );
      this.aggregationReads += Math.max(1, ...entries.map((found = 0) => Math.ceil(found / 1_000)));
    }
  }
}

/** Returns the query of a request and the fields that it sums, if any. */
export function readQuery({ structuredQuery, structuredAggregationQuery }: FirestoreRequest) {
  const query = structuredQuery ?? structuredAggregationQuery?.structuredQuery;
  const { aggregations = [] } = structuredAggregationQuery ?? {};
  return { query, summed: aggregations.flatMap(({ sum, avg }) => (sum ?? avg)?.field?.fieldPath ?? []) };
}

/**
 * How a request fails:
 * - `delayMs`: it runs after a delay;
 * - `hang`: it does not run and gets no response;
 * - `drop`: the connection is closed before it runs, or after it;
 * - `status`: it gets this HTTP status, with Firestore's error body or a proxy's HTML page, and `Retry-After` in
 *   seconds.
 */
export type Fault = { readonly verb?: Verb } & (
  | { readonly delayMs: number }
  | { readonly hang: true }
  | { readonly drop: 'before' | 'after' }
  | { readonly status: number; readonly retryAfter?: number; readonly html?: boolean }
);

/** The faults of the next requests. */
export class Faults {
  readonly #queue: Fault[] = [];
  #always: Fault | null = null;

  /** Adds a fault for the next request, or the next request with the fault's verb. */
  next(fault: Fault): void {
    this.#queue.push(fault);
  }

  /** Sets a fault for all requests without a queued fault; null removes it. */
  always(fault: Fault | null): void {
    this.#always = fault;
  }

  /** Returns the fault of this request and removes it from the queue. */
  take(verb: Verb): Fault | undefined {
    const meets = (fault: Fault) => fault.verb === undefined || fault.verb === verb;
    const place = this.#queue.findIndex(meets);
    if (place >= 0) return this.#queue.splice(place, 1)[0];
    return this.#always !== null && meets(this.#always) ? this.#always : undefined;
  }
}

/** Canonical errors by HTTP status, with their gRPC code. */
const ERRORS: Readonly<Record<number, readonly [name: string, grpc: number]>> = {
  400: ['FAILED_PRECONDITION', 9],
  403: ['PERMISSION_DENIED', 7],
  409: ['ABORTED', 10],
  429: ['RESOURCE_EXHAUSTED', 8],
  500: ['INTERNAL', 13],
  503: ['UNAVAILABLE', 14],
};

/** Returns the gRPC error for an HTTP status. */
export function grpcError(status: number, details: string): Error & { code: number; details: string } {
  const code = ERRORS[status]?.[1] ?? 2;
  return Object.assign(new Error(details), { code, details });
}

/** Returns the body of an error, which is a list if the response is a stream. */
export function restError(verb: Verb, code: number, message: string): string {
  const error = { error: { code, message, status: ERRORS[code]?.[0] ?? 'UNKNOWN' } };
  return JSON.stringify(verb === 'batchGet' || verb.startsWith('run') ? [error] : error);
}

/** Returns a proxy's error page. */
export function htmlPage(status: number): string {
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  return `<!DOCTYPE html><html lang="en"><title>${title}</title><h1>${title}</h1></html>`;
}
