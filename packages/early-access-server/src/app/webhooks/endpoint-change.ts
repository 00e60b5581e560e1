import type { Webhook, WebhookChanges } from '../ports/webhook-store.ts';
import { HEALTHY } from './endpoint.ts';
import { renameEndpoint } from './endpoint-name.ts';

/** The effect of a change by the admin on an endpoint and its queue. */
export function changeEndpoint(before: Webhook, { enabled, ...changes }: WebhookChanges, now: number) {
  const changed = { ...before, ...changes, name: renameEndpoint(before, changes) };
  const hasNewUrl = changed.url !== before.url;
  const isEnabled = enabled === true && before.disabled_at !== null;
  const isDisabled = enabled === false && before.disabled_at === null;
  const endpoint: Webhook = {
    ...changed,
    ...(hasNewUrl && { ...HEALTHY, disabled_at: before.disabled_at }),
    ...(isEnabled && HEALTHY),
    ...(isDisabled && { ...HEALTHY, disabled_at: now }),
  };
  return {
    endpoint,
    /** Queued deliveries are due at once. */
    hastensQueued: hasNewUrl,
    /** Queued deliveries fail. */
    failsQueued: isDisabled,
    /** Failed deliveries that are not older than a day are queued again. */
    queuesFailed: isEnabled,
  };
}
