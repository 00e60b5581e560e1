import type { Webhook, WebhookChanges } from '../ports/webhook-store.ts';
import { HEALTHY } from './endpoint.ts';

/** What a change by the admin means for an endpoint and its queue. */
export interface EndpointChange {
  readonly endpoint: Webhook;
  /** What is queued is due at once. */
  readonly hastensQueued: boolean;
  /** What is queued fails. */
  readonly failsQueued: boolean;
  /** What has failed and is not older than a day is queued again. */
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
