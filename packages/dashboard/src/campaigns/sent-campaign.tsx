import type {
  Campaign,
  SegmentNames,
  SessionResponse,
  UnknownMailResponse,
  UnsentMail,
} from 'early-access-server/admin-api';
import { describeTiming } from 'early-access-server/admin-pages';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { formatNumber } from '../format/format.ts';
import { UnknownDialog } from '../mail/unknown-dialog.tsx';
import { useMay } from '../shell/role.ts';
import { Breakable } from '../ui/breakable.tsx';
import { Button } from '../ui/button.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { QueryState } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { audienceText } from './audience.tsx';
import { CampaignPreview } from './campaign-preview.tsx';
import styles from './campaigns.module.css';
import { EditorLayout } from './editor-layout.tsx';
import { describeTime, findRecipients } from './schedule-text.ts';

interface SentCampaignProps {
  readonly campaign: Campaign;
  readonly campaigns: readonly Campaign[];
  readonly names: SegmentNames;
  readonly session: SessionResponse;
  readonly zone: string;
  /** Called with the id of the new draft, which has the same text and audience. */
  readonly onDuplicated: (id: string) => void;
  readonly onClose: () => void;
}

/** A campaign that was started, so it can no longer be changed: its text, audience and preview. */
export function SentCampaign(props: SentCampaignProps) {
  const { campaign, campaigns, names, session, zone, onDuplicated, onClose } = props;
  const may = useMay();
  const { id, revision, subject, body, audience, people, sent, failed, unknown, series } = campaign;
  const duplicate = useAction((api) => api.post<Campaign>(`/campaigns/${id}/duplicate`), {
    refreshes: [['campaigns', 'list']],
    done: () => 'Draft created with the same text and audience.',
    onDone: (draft) => onDuplicated(draft.id),
  });
  return (
    <EditorLayout preview={<CampaignPreview text={{ id, revision }} hasFields={session.fields.length > 0} />}>
      <div className={ui.stack}>
        <Card title={subject || 'Without a subject'}>
          <div className={ui.stack}>
            <Facts
              facts={[
                ['When', series === null ? describeTime(campaign, campaigns, zone) : describeTiming(series, campaigns)],
                ['To', findRecipients(campaign, campaigns) ?? audienceText(audience, names)],
                ['People', formatNumber(people)],
                ['Sent', formatNumber(sent)],
                ['Failed', failed > 0 && formatNumber(failed)],
              ]}
            />
            <section aria-label="Text">
              <pre className={styles.written}>{body}</pre>
            </section>
            <div className={ui.row}>
              <Button look="primary" busy={duplicate.isPending} onClick={() => duplicate.mutate()}>
                Duplicate
              </Button>
              <Button look="quiet" onClick={onClose}>
                Back to all campaigns
              </Button>
            </div>
          </div>
        </Card>
        {may() && unknown > 0 && <UnknownMessages campaign={id} zone={zone} />}
      </div>
    </EditorLayout>
  );
}

/** The people for whom it is unknown whether the email arrived, each with a button to decide. */
function UnknownMessages({ campaign, zone }: { readonly campaign: string; readonly zone: string }) {
  const [asked, setAsked] = useState<UnsentMail | null>(null);
  const query = useRead<UnknownMailResponse>(['campaigns', 'unknown', campaign], '/mail/unknown', {
    query: new URLSearchParams({ campaign }),
  });
  return (
    <Card title="Delivery unknown">
      <QueryState query={query} bones={[4]} zone={zone}>
        {({ messages }) => (
          <ul className={styles.unknown}>
            {messages.map((message) => (
              <li key={message.id} className={ui.row}>
                <span>
                  <Breakable>{message.email}</Breakable>
                </span>
                <Button aria-label={`Resolve delivery to ${message.email}…`} onClick={() => setAsked(message)}>
                  Resolve…
                </Button>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      {asked && <UnknownDialog message={asked} onClose={() => setAsked(null)} />}
    </Card>
  );
}
