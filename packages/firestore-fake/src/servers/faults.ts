import type { Verb } from './operations.ts';

/**
 * What goes wrong with a request:
 * - `delayMs`: it is carried out that much later;
 * - `hang`: it is not carried out and never answered;
 * - `drop`: the connection is cut before, or after, it took effect or was refused;
 * - `status`: it is refused with this HTTP status, in Firestore's words or as a proxy's HTML page, with `Retry-After` in seconds.
 */
export type Fault = { readonly verb?: FaultVerb } & (
  | { readonly delayMs: number }
  | { readonly hang: true }
  | { readonly drop: 'before' | 'after' }
  | { readonly status: number; readonly retryAfter?: number; readonly html?: boolean }
);

/** A verb of the API, or the GET of a document. */
export type FaultVerb = Verb | 'get';

export interface Faults {
  /** For the next request (of the fault's verb, where it has one); several calls make a queue. */
  next(fault: Fault): void;
  /** For every request that no queued fault meets; null ends it. */
  always(fault: Fault | null): void;
}

export class FaultPlan implements Faults {
  readonly #queue: Fault[] = [];
  #always: Fault | null = null;

  next(fault: Fault): void {
    this.#queue.push(fault);
  }

  always(fault: Fault | null): void {
    this.#always = fault;
  }

  /** The fault of this request; a queued one is used up. */
  take(verb: FaultVerb): Fault | undefined {
    const meets = (fault: Fault) => fault.verb === undefined || fault.verb === verb;
    const place = this.#queue.findIndex(meets);
    if (place >= 0) return this.#queue.splice(place, 1)[0];
    return this.#always !== null && meets(this.#always) ? this.#always : undefined;
  }
}
