import type { DeliveryResult } from '../ports/mail-transport.ts';

/** Pauses delivery while the mail server is failing, so that it does not turn the whole queue into `unknown`. */
export interface CircuitBreaker {
  /** Milliseconds until the next attempt. */
  pauseLeft(now: number): number;
  /** Whether only one message at a time may be attempted, to find out if the server works again. */
  readonly isProbing: boolean;
  /** Records the result of an attempt to send to this domain. */
  note(result: DeliveryResult, domain: string, now: number): void;
}

export function circuitBreaker(): CircuitBreaker {
  let failuresInARow = 0;
  let unknownInARow = 0;
  /** The domain of the last message that was deferred, since the last one that was not. */
  let deferredDomain: string | null = null;
  let pause = { since: 0, ms: 0 };
  return {
    pauseLeft(now) {
      // A clock that is set back must not make the pause longer.
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
        // A mailbox that takes nothing now, or a domain that wants to be asked twice, says nothing about the others.
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

/**
 * Milliseconds without an attempt after this many in a row that the server did not take: it is down or defers everyone.
 * Up to a minute.
 */
export function outageDelay(inARow: number): number {
  return inARow === 0 ? 0 : Math.min(60_000, 1_000 * 2 ** (inARow - 1));
}

/**
 * The server accepts messages and never responds. Each of these may have been sent and becomes `unknown`, so few
 * messages may be attempted. Pauses up to an hour.
 */
function pauseAfterUnknown(inARow: number): number {
  return inARow === 0 ? 0 : Math.min(3_600_000, 5_000 * 4 ** (inARow - 1));
}
