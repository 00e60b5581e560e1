import type { WebhooksResponse, WebhookWithoutSecret } from 'early-access-server/admin-api';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../api/use-read.ts';
import type { PageProps } from '../shell/pages.ts';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/card.tsx';
import { Empty, QueryState, StateText } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { Endpoint } from './endpoint.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';

const REFRESH_MS = 15_000;

/** The endpoints to which the list's events are sent. */
export function WebhooksPage({ zone }: PageProps) {
  /** The endpoint in the open dialog; `new` for a new one. */
  const [edited, setEdited] = useState<WebhookWithoutSecret | 'new' | null>(null);
  const query = useRead<WebhooksResponse>(['webhooks'], '/webhooks', { refetchInterval: REFRESH_MS });
  const add = (
    <Button look="primary" onClick={() => setEdited('new')}>
      <Plus aria-hidden />
      Add endpoint
    </Button>
  );
  return (
    <>
      <PageHead title="Webhooks" subtitle="Send list events to your systems, Slack or Discord">
        {query.data && query.data.webhooks.length > 0 && add}
      </PageHead>
      <div className={ui.stack}>
        <QueryState query={query} bones={[14, 14]} zone={zone}>
          {({ webhooks }) =>
            webhooks.length === 0 ? (
              <div className={ui.card}>
                <Empty icon={Webhook} title="No endpoints yet">
                  <StateText>
                    An endpoint is a URL that gets a signed request for each event, such as a new signup.
                  </StateText>
                  {add}
                </Empty>
              </div>
            ) : (
              webhooks.map((webhook) => (
                <Endpoint key={webhook.id} webhook={webhook} zone={zone} onEdit={() => setEdited(webhook)} />
              ))
            )
          }
        </QueryState>
      </div>
      {edited !== null && <EndpointDialog webhook={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  );
}
