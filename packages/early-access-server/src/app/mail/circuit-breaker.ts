import type { DeliveryResult } from '../ports/mail-transport.ts';
import type { Refusal } from './classify-reply.ts';

/** Refusals that say that the server does not work, or not for us. */
const TROUBLE: readonly Refusal[] = ['later', 'our-problem'];

/** Pauses delivery while the mail server is failing, so that it does not turn the whole queue into `unknown`. */
export interface CircuitBreaker {
  /** Milliseconds until the next attempt. */
  pauseLeft(now: number): number;
  /** Whether only one message at a time may be attempted, to find out if the server works again. */
  readonly isProbing: boolean;
  /** Records the result of an attempt. */
  note(result: DeliveryResult, now: number): void;
}

export function circuitBreaker(): CircuitBreaker {
  let deferredInARow = 0;
  let unknownInARow = 0;
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
    note(result, now) {
      if (result.outcome === 'unknown') unknownInARow += 1;
      else if (result.outcome === 'refused' && TROUBLE.includes(result.refusal)) deferredInARow += 1;
      else [deferredInARow, unknownInARow] = [0, 0];
      pause = { since: now, ms: Math.max(pauseAfterDeferred(deferredInARow), pauseAfterUnknown(unknownInARow)) };
    },
  };
}

/** The server is down or defers messages. Pauses up to a minute. */
function pauseAfterDeferred(inARow: number): number {
  return inARow === 0 ? 0 : Math.min(60_000, 1_000 * 2 ** (inARow - 1));
}

/**
 * The server accepts messages and never responds. Each of these may have been sent and becomes `unknown`, so few messages may be
 * attempted. Pauses up to an hour.
 */
function pauseAfterUnknown(inARow: number): number {
  return inARow === 0 ? 0 : Math.min(3_600_000, 5_000 * 4 ** (inARow - 1));
}
