import type { DeliveryResult } from '../../mail/transport.ts';

/** Spares a mail server that is in trouble, and the mails that it would swallow. */
export interface Breaker {
  /** Milliseconds that all mail still rests. */
  restLeft(now: number): number;
  /** Whether one mail at a time has to try the server out. */
  readonly isProbing: boolean;
  /** Takes note of how an attempt ended. */
  note(result: DeliveryResult, now: number): void;
}

export function breaker(): Breaker {
  let [refusals, lostAnswers] = [0, 0];
  let rest = { since: 0, ms: 0 };
  return {
    restLeft(now) {
      // A clock that is set back must not make the rest longer.
      rest = { ...rest, since: Math.min(rest.since, now) };
      return Math.max(0, rest.since + rest.ms - now);
    },
    get isProbing() {
      return lostAnswers > 0;
    },
    note(result, now) {
      if (result.outcome === 'unknown') lostAnswers += 1;
      else if (result.outcome === 'refused' && !result.permanent) refusals += 1;
      else [refusals, lostAnswers] = [0, 0];
      rest = { since: now, ms: Math.max(restAfterRefusals(refusals), restAfterLostAnswers(lostAnswers)) };
    },
  };
}

/** The server is down or asks for patience: hammering it with the rest of the queue would help nobody. Up to a minute. */
function restAfterRefusals(inARow: number): number {
  return inARow === 0 ? 0 : Math.min(60_000, 1_000 * 2 ** (inARow - 1));
}

/**
 * The server takes mails and hangs: each of them may have gone out, so that none is sent again by itself. The rest of the queue
 * must not end like that. Up to an hour.
 */
function restAfterLostAnswers(inARow: number): number {
  return inARow === 0 ? 0 : Math.min(3_600_000, 5_000 * 4 ** (inARow - 1));
}
