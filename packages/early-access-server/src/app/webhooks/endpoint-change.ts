import type { Webhook, WebhookChanges } from '../ports/webhook-store.ts';
import { HEALTHY } from './endpoint.ts';
import { renameEndpoint } from './endpoint-name.ts';

/** How an admin's change affects an endpoint and its queue. */
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
    /** Makes queued deliveries due at once. */
    hastensQueued: hasNewUrl,
    /** Fails queued deliveries. */
    failsQueued: isDisabled,
    /** Queues deliveries again that failed within the last day. */
    queuesFailed: isEnabled,
  };
}
