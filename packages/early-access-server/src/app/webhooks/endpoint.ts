import { DAY_MS } from 'early-access-kit/internal';
import { type MessageOutcome, retryDelay } from '../mail/message-state.ts';
import type { Notice } from '../mail/notice.ts';

export const MAX_WEBHOOKS = 20;

/** The reason stored with a failed delivery to a disabled endpoint. */
export const DISABLED_REASON = 'the endpoint is disabled';
/** The reason stored with a delivery that is queued again because its process ended. */
export const LEASE_ENDED_REASON = 'the sending process ended';

/** Recent responses of an endpoint. Times are epoch milliseconds. */
export interface EndpointHealth {
  /** Since when all attempts have failed; null if the last one succeeded. */
  readonly failing_since: number | null;
  /** Consecutive pauses, each of which ended with another failure. */
  readonly failures: number;
  /**
   * Nothing is sent to the endpoint before this time. So a receiver that is down gets the same number of attempts for a
   * thousand events as for one.
   */
  readonly paused_until: number;
  /** When it was disabled, by the admin or after a day of failures. Null: it is enabled. */
  readonly disabled_at: number | null;
}

/** The health of an endpoint that is new, was enabled again, or got another URL. */
export const HEALTHY: EndpointHealth = { failing_since: null, failures: 0, paused_until: 0, disabled_at: null };

/** The result of a delivery. `notBefore`: when the receiver wants the next attempt, if it specified a time. */
export type EndpointOutcome = MessageOutcome & { readonly notBefore?: number | undefined };

/** A receiver can extend a pause, up to the end of the day for which it may fail, but cannot shorten it. */
export function afterDelivery(endpoint: EndpointHealth, outcome: EndpointOutcome, now: number): EndpointHealth {
  const { failures, paused_until, disabled_at } = endpoint;
  if (outcome.state === 'sent') return { ...HEALTHY, disabled_at };
  const failing_since = Math.min(endpoint.failing_since ?? now, now);
  const failing = { ...endpoint, failing_since };
  if (disabled_at === null && now - failing_since >= DAY_MS) return { ...failing, disabled_at: now };
  const asked = Math.min(outcome.notBefore ?? 0, failing_since + DAY_MS);
  // Attempts that were in progress at the same time count as one failure.
  if (paused_until > now) return { ...failing, paused_until: Math.max(paused_until, asked) };
  return { ...failing, failures: failures + 1, paused_until: Math.max(now + retryDelay(failures + 1), asked) };
}

/** The notice that this outcome has disabled the endpoint, of which `before` and `after` are the health; null if not. */
export function disabledNotice(
  before: EndpointHealth & { readonly name: string },
  after: Pick<EndpointHealth, 'disabled_at'>,
  outcome: EndpointOutcome,
): Notice | null {
  if (outcome.state === 'sent' || after.disabled_at === before.disabled_at) return null;
  return { type: 'webhook-disabled', endpoint: before.name, reason: outcome.reason };
}

/** The endpoint's health once the admin sends an event again: at once, because its receiver may work by now. */
export function afterResend(endpoint: EndpointHealth): EndpointHealth {
  return { ...endpoint, paused_until: 0 };
}
