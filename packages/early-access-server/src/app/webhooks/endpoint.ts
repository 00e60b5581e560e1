import { DAY_MS } from 'early-access-kit/internal';
import { type MessageOutcome, retryDelay } from '../mail/message-state.ts';

export const MAX_WEBHOOKS = 20;

/** Why a delivery to a disabled endpoint is `failed`. */
export const DISABLED_REASON = 'the endpoint is disabled';
/** Why a delivery is queued again whose process ended. */
export const LEASE_ENDED_REASON = 'the sending process ended';

/** How an endpoint has been responding. Times are epoch milliseconds. */
export interface EndpointHealth {
  /** Since when every attempt has failed; null if the last one succeeded. */
  readonly failing_since: number | null;
  /** Pauses in a row, each ended by a failure. */
  readonly failures: number;
  /**
   * Nothing is sent to it before then, so that a receiver that is down is tried as often for a thousand events as for
   * one.
   */
  readonly paused_until: number;
  /** When it was disabled, by the admin or after a day of failures; null while it is on. */
  readonly disabled_at: number | null;
}

/** The health of a new endpoint, and of one that was enabled again or got another URL. */
export const HEALTHY: EndpointHealth = { failing_since: null, failures: 0, paused_until: 0, disabled_at: null };

/** The result of a delivery. `notBefore`: when its receiver wants to be asked again, if it said so. */
export type EndpointOutcome = MessageOutcome & { readonly notBefore?: number | undefined };

/** A receiver can ask for a pause until the day is over that it may fail for, but not for a shorter one. */
export function afterDelivery(endpoint: EndpointHealth, outcome: EndpointOutcome, now: number): EndpointHealth {
  const { failures, paused_until, disabled_at } = endpoint;
  if (outcome.state === 'sent') return { ...HEALTHY, disabled_at };
  const failing_since = Math.min(endpoint.failing_since ?? now, now);
  const failing = { ...endpoint, failing_since };
  if (disabled_at === null && now - failing_since >= DAY_MS) return { ...failing, disabled_at: now };
  const asked = Math.min(outcome.notBefore ?? 0, failing_since + DAY_MS);
  // Attempts that were in progress together are one failure.
  if (paused_until > now) return { ...failing, paused_until: Math.max(paused_until, asked) };
  return { ...failing, failures: failures + 1, paused_until: Math.max(now + retryDelay(failures + 1), asked) };
}

/** The endpoint's health once the admin sends an event again: at once, because its receiver may work by now. */
export function afterResend(endpoint: EndpointHealth): EndpointHealth {
  return { ...endpoint, paused_until: 0 };
}
