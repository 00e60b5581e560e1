import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  CAMPAIGN_AUDIENCE,
  type Campaign,
  type CampaignContent,
  MAX_CAMPAIGN_BODY,
  MAX_CAMPAIGN_SUBJECT,
  type TestMailResponse,
} from 'early-access-server/admin-api';
import { useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { formatCount } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useNotify } from '../ui/toasts.tsx';
import ui from '../ui/ui.module.css';
import { AudienceFields } from './audience.tsx';
import { CampaignPreview } from './campaign-preview.tsx';
import styles from './campaigns.module.css';
import { useDraft } from './use-draft.ts';

const EMPTY: CampaignContent = { subject: '', body: '', audience: { states: CAMPAIGN_AUDIENCE, source: null } };

interface CampaignEditorProps {
  /** Null: a new email. */
  readonly draft: Campaign | null;
  readonly admin: string;
  readonly canSend: boolean;
  /** A new email is stored under this id. */
  readonly onStored: (id: string) => void;
  readonly onClose: () => void;
}

export function CampaignEditor({ draft: campaign, admin, canSend, onStored, onClose }: CampaignEditorProps) {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const [isAsking, setAsking] = useState(false);
  const draft = useDraft(campaign, EMPTY, onStored);
  const { subject, body, audience } = draft.content;
  const audienceSize = useQuery({
    queryKey: ['campaigns', 'audience', audience],
    queryFn: () => api.post<{ people: number }>('/campaigns/audience', audience),
  });
  const people = audienceSize.data?.people ?? 0;
  const isComplete = subject.trim() !== '' && body.trim() !== '' && people > 0;

  const test = useMutation({
    mutationFn: async () => api.post<TestMailResponse>(`/campaigns/${await draft.save()}/test`),
    onSuccess: ({ outcome, explanation }) =>
      outcome === 'sent' ? notify.done(`Sent to ${admin}. ${explanation}`) : notify.failed(new Error(explanation)),
    onError: notify.failed,
  });
  const start = useMutation({
    mutationFn: async () => api.post(`/campaigns/${await draft.save()}/state`, { to: 'sending' }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['campaigns', 'list'] });
      onClose();
    },
    onError(error) {
      setAsking(false);
      notify.failed(error);
    },
  });

  return (
    <div className={styles.editor}>
      <Card
        title={campaign ? 'Draft' : 'New email'}
        actions={
          <span role="status" className={ui.hint}>
            {draft.isSaving ? 'Saving…' : draft.version > 0 && !draft.error && 'Saved'}
          </span>
        }
      >
        <div className={ui.stack}>
          {draft.error && (
            <p role="alert" className={`${ui.text} ${ui.problem}`}>
              It is not saved: {draft.error.message}
            </p>
          )}
          <label className={ui.field}>
            Subject
            <input
              className={ui.input}
              value={subject}
              maxLength={MAX_CAMPAIGN_SUBJECT}
              onChange={({ target }) => draft.change({ subject: target.value })}
            />
          </label>
          <label className={ui.field}>
            Text
            <textarea
              className={`${ui.input} ${styles.text}`}
              value={body}
              maxLength={MAX_CAMPAIGN_BODY}
              onChange={({ target }) => draft.change({ body: target.value })}
            />
            <span className={ui.hint}>
              Markdown: # heading, **bold**, [link](https://…), lists. The link to unsubscribe is added.
            </span>
          </label>
          <AudienceFields audience={audience} onChange={(changed) => draft.change({ audience: changed })} />
          <p role="status" className={ui.text}>
            {audienceSize.error
              ? audienceSize.error.message
              : audienceSize.data
                ? `It goes to ${formatCount(people, 'person', 'people')}.`
                : 'Counting…'}
          </p>
          <div className={ui.row}>
            <Button look="primary" disabled={!isComplete || !canSend} onClick={() => setAsking(true)}>
              {`Send to ${formatCount(people, 'person', 'people')}…`}
            </Button>
            <Button busy={test.isPending} disabled={!canSend} onClick={() => test.mutate()}>
              Send a test to me
            </Button>
            <Button look="quiet" onClick={onClose}>
              Back to all campaigns
            </Button>
          </div>
        </div>
      </Card>
      <CampaignPreview id={campaign?.id ?? null} version={draft.version} />
      {isAsking && (
        <ConfirmDialog
          title={`Send “${subject}” to ${formatCount(people, 'person', 'people')}?`}
          action="Start sending"
          look="primary"
          busy={start.isPending}
          onConfirm={() => start.mutate()}
          onClose={() => setAsking(false)}
        >
          Each of them gets it once. You can pause or cancel it while it is being sent, but what is sent cannot be taken
          back.
        </ConfirmDialog>
      )}
    </div>
  );
}
