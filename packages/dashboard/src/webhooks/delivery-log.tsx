import type { DeliveriesResponse, WebhookWithoutSecret } from 'early-access-server/admin-api';
import { RotateCw } from 'lucide-react';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { formatDateTime, formatNumber } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { MailBadge } from '../ui/mail-badge.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { QueryState } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { EVENT_NAMES } from './names.ts';
import styles from './webhooks.module.css';

const REFRESH_MS = 5_000;

interface DeliveryLogProps {
  readonly webhook: WebhookWithoutSecret;
  readonly zone: string;
}

/** The deliveries to an endpoint, newest first. */
export function DeliveryLog({ webhook: { id, disabled_at }, zone }: DeliveryLogProps) {
  const queryKey = ['webhooks', id];
  const query = useRead<DeliveriesResponse>(queryKey, `/webhooks/${id}/deliveries`, { refetchInterval: REFRESH_MS });
  const resend = useAction((api, delivery: string) => api.post('/webhook-deliveries/resend', { id: delivery }), {
    refreshes: [queryKey],
    done: () => 'Event resent.',
  });
  return (
    <QueryState query={query} bones={[10]} zone={zone}>
      {({ deliveries }) =>
        deliveries.length === 0 ? (
          <p className={`${ui.text} ${ui.hint}`}>No events since the endpoint was added.</p>
        ) : (
          <ScrollRegion label="Deliveries" className={styles.deliveries}>
            <table className={ui.table}>
              <thead>
                <tr>
                  <th scope="col">Event</th>
                  <th scope="col">State</th>
                  <th scope="col" className={ui.number}>
                    Attempts
                  </th>
                  <th scope="col">
                    <span className={ui.hidden}>Send again</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {deliveries.map(({ id: delivery, event, state, attempts, reason }) => (
                  <tr key={delivery}>
                    <th scope="row">
                      {EVENT_NAMES[event.type]}
                      <span className={styles.detail}>{formatDateTime(event.at, zone)}</span>
                      {reason && <span className={styles.detail}>{reason}</span>}
                    </th>
                    <td>
                      <MailBadge state={state} />
                    </td>
                    <td className={ui.number}>{formatNumber(attempts)}</td>
                    <td className={ui.number}>
                      <Button
                        aria-label={`Send again: ${EVENT_NAMES[event.type]}, ${formatDateTime(event.at, zone)}`}
                        disabled={disabled_at !== null || state === 'sending'}
                        busy={resend.isPending && resend.variables === delivery}
                        onClick={() => resend.mutate(delivery)}
                      >
                        <RotateCw aria-hidden />
                        <span className={styles.again}>Send again</span>
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        )
      }
    </QueryState>
  );
}
