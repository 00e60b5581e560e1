import type { Verb } from './operations.ts';

/**
 * How a request fails:
 * - `delayMs`: it runs after a delay;
 * - `hang`: it does not run and gets no response;
 * - `drop`: the connection is closed before it runs, or after it;
 * - `status`: it gets this HTTP status, with Firestore's error body or a proxy's HTML page, and `Retry-After` in seconds.
 */
export type Fault = { readonly verb?: Verb } & (
  | { readonly delayMs: number }
  | { readonly hang: true }
  | { readonly drop: 'before' | 'after' }
  | { readonly status: number; readonly retryAfter?: number; readonly html?: boolean }
);

export interface Faults {
  /** Adds a fault for the next request, or the next request with the fault's verb. */
  next(fault: Fault): void;
  /** Sets a fault for all requests without a queued fault; null removes it. */
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

  /** Returns the fault of this request and removes it from the queue. */
  take(verb: Verb): Fault | undefined {
    const meets = (fault: Fault) => fault.verb === undefined || fault.verb === verb;
    const place = this.#queue.findIndex(meets);
    if (place >= 0) return this.#queue.splice(place, 1)[0];
    return this.#always !== null && meets(this.#always) ? this.#always : undefined;
  }
}
