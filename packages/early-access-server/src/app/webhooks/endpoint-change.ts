import type { Webhook, WebhookChanges } from '../ports/webhook-store.ts';
import { HEALTHY } from './endpoint.ts';

/** The effect of a change by the admin on an endpoint and its queue. */
export interface EndpointChange {
  readonly endpoint: Webhook;
  /** Queued deliveries are due at once. */
  readonly hastensQueued: boolean;
  /** Queued deliveries fail. */
  readonly failsQueued: boolean;
  /** Failed deliveries that are not older than a day are queued again. */
  readonly queuesFailed: boolean;
}

export function changeEndpoint(before: Webhook, { enabled, ...changes }: WebhookChanges, now: number): EndpointChange {
  const changed = { ...before, ...changes };
  const hasNewUrl = changed.url !== before.url;
  const isEnabled = enabled === true && before.disabled_at !== null;
  const isDisabled = enabled === false && before.disabled_at === null;
  return {
    endpoint: {
      ...changed,
      ...(hasNewUrl && { ...HEALTHY, disabled_at: before.disabled_at }),
      ...(isEnabled && HEALTHY),
      ...(isDisabled && { ...HEALTHY, disabled_at: now }),
    },
    hastensQueued: hasNewUrl,
    failsQueued: isDisabled,
    queuesFailed: isEnabled,
  };
}
