import { useMutation } from '@tanstack/react-query';
import type { TestWebhookResponse, WebhookWithoutSecret } from 'early-access-server/admin-api';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { useAction } from '../api/use-action.ts';
import { formatDateTime } from '../format/format.ts';
import { Breakable } from '../ui/breakable.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Notice } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { DeliveryLog } from './delivery-log.tsx';
import { EVENT_NAMES, FORMAT_NAMES } from './names.ts';
import styles from './webhooks.module.css';

interface EndpointProps {
  readonly webhook: WebhookWithoutSecret;
  readonly zone: string;
  readonly onEdit: () => void;
}

/** One endpoint with its state, its events and its latest deliveries. */
export function Endpoint({ webhook, zone, onEdit }: EndpointProps) {
  const { id, name, url, format, events, disabled_at } = webhook;
  const api = useApi();
  const [showsLog, setShowsLog] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const test = useMutation({ mutationFn: () => api.post<TestWebhookResponse>(`/webhooks/${id}/test`) });
  const toggle = useAction((api) => api.post(`/webhooks/${id}`, { enabled: disabled_at !== null }), {
    refreshes: [['webhooks']],
    done: () =>
      disabled_at === null ? 'Endpoint turned off.' : 'Endpoint turned on. It will receive events from the last day.',
  });
  return (
    <Card title={name} actions={<EndpointBadge webhook={webhook} />}>
      <div className={ui.stack}>
        <EndpointProblem webhook={webhook} zone={zone} />
        <Facts
          facts={[
            ['URL', <Breakable key="url">{url}</Breakable>],
            ['Format', FORMAT_NAMES[format]],
            ['Events', events.map((type) => EVENT_NAMES[type]).join(', ')],
          ]}
        />
        <div>
          <div className={ui.row}>
            <Button busy={test.isPending} onClick={() => test.mutate()}>
              {test.isPending ? 'Sending…' : 'Send a test event'}
            </Button>
            <Button aria-expanded={showsLog} onClick={() => setShowsLog(!showsLog)}>
              {showsLog ? 'Hide deliveries' : 'Show deliveries'}
            </Button>
            <Button onClick={onEdit}>Edit</Button>
            <Button busy={toggle.isPending} onClick={() => toggle.mutate()}>
              {disabled_at === null ? 'Turn off' : 'Turn on'}
            </Button>
            <Button look="danger" onClick={() => setRemoving(true)}>
              Remove…
            </Button>
          </div>
          <div aria-live="polite" className={styles.result}>
            {test.data && (
              <Notice
                icon={test.data.delivered ? CircleCheck : TriangleAlert}
                {...(test.data.delivered ? {} : { look: 'warning' })}
              >
                {test.data.explanation}
              </Notice>
            )}
            {test.error && <Notice look="warning">{test.error.message}</Notice>}
          </div>
        </div>
        {showsLog && <DeliveryLog webhook={webhook} zone={zone} />}
      </div>
      {isRemoving && <RemoveDialog webhook={webhook} onClose={() => setRemoving(false)} />}
    </Card>
  );
}

function EndpointBadge({ webhook: { disabled_at, failing_since } }: Pick<EndpointProps, 'webhook'>) {
  if (disabled_at !== null && failing_since !== null) return <span className={`${ui.badge} ${ui.bad}`}>Disabled</span>;
  if (disabled_at !== null) return <span className={`${ui.badge} ${ui.muted} ${ui.ended}`}>Off</span>;
  if (failing_since !== null) return <span className={`${ui.badge} ${ui.warning}`}>Failing</span>;
  return <span className={`${ui.badge} ${ui.muted} ${ui.done}`}>On</span>;
}

function EndpointProblem({ webhook, zone }: Pick<EndpointProps, 'webhook' | 'zone'>) {
  const { failing_since, disabled_at, paused_until } = webhook;
  if (failing_since === null) return null;
  const since = formatDateTime(failing_since, zone);
  return (
    <Notice look="warning">
      {disabled_at === null
        ? `Every delivery has failed since ${since}. The next attempt is on ${formatDateTime(paused_until, zone)}. After a day of failures the endpoint is disabled.`
        : `Disabled, because every delivery failed for a day from ${since}. Once you turn it on, it will receive events from the last day.`}
    </Notice>
  );
}

interface RemoveDialogProps {
  readonly webhook: WebhookWithoutSecret;
  readonly onClose: () => void;
}

function RemoveDialog({ webhook: { id, name }, onClose }: RemoveDialogProps) {
  const remove = useAction((api) => api.post(`/webhooks/${id}/remove`), {
    refreshes: [['webhooks']],
    done: () => 'Endpoint removed.',
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action="Remove"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      It gets no more events, and its deliveries are deleted. Its secret cannot be used again.
    </ConfirmDialog>
  );
}
