import type { DeliveryResult } from '../ports/mail-transport.ts';

/** Pauses delivery while the mail server is failing. Otherwise the whole queue would become `unknown`. */
export interface CircuitBreaker {
  /** Milliseconds until the next attempt. */
  pauseLeft(now: number): number;
  /** True if only one message at a time may be attempted, to check whether the server works again. */
  readonly isProbing: boolean;
  /** Records the result of a delivery attempt to this domain. */
  note(result: DeliveryResult, domain: string, now: number): void;
}

export function circuitBreaker(): CircuitBreaker {
  let failuresInARow = 0;
  let unknownInARow = 0;
  /** The domain of the last deferred message; null once a message is not deferred. */
  let deferredDomain: string | null = null;
  let pause = { since: 0, ms: 0 };
  return {
    pauseLeft(now) {
      // If the clock is set back, the pause must not become longer.
      pause = { ...pause, since: Math.min(pause.since, now) };
      return Math.max(0, pause.since + pause.ms - now);
    },
    get isProbing() {
      return unknownInARow > 0;
    },
    note(result, domain, now) {
      const refusal = result.outcome === 'refused' ? result.refusal : null;
      if (result.outcome === 'unknown') unknownInARow += 1;
      else if (refusal === 'unreachable') failuresInARow += 1;
      else if (refusal === 'later') {
        // A deferral may be due to the mailbox or to the domain's greylisting, so repeated ones from the same domain do
        // not count.
        if (deferredDomain !== null && deferredDomain !== domain) failuresInARow += 1;
        deferredDomain = domain;
      } else {
        [failuresInARow, unknownInARow] = [0, 0];
        deferredDomain = null;
      }
      pause = { since: now, ms: Math.max(outageDelay(failuresInARow), pauseAfterUnknown(unknownInARow)) };
    },
  };
}

/** Milliseconds to pause after this number of consecutive failures: the server is down or defers everything. */
export function outageDelay(inARow: number): number {
  return inARow === 0 ? 0 : Math.min(60_000, 1_000 * 2 ** (inARow - 1));
}

/**
 * The server accepts messages but does not respond. Each of these messages may have been sent and becomes `unknown`, so
 * only a few may be attempted. Pauses up to an hour.
 */
function pauseAfterUnknown(inARow: number): number {
  return inARow === 0 ? 0 : Math.min(3_600_000, 5_000 * 4 ** (inARow - 1));
}
