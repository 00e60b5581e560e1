import type { Campaign, CampaignState, SegmentNames } from 'early-access-server/admin-api';
import { mayBeFollowed, mayChangeCampaign } from 'early-access-server/admin-pages';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { formatClock, formatCount, formatDateTime, formatNumber } from '../format/format.ts';
import { useMay } from '../shell/role.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ProgressBar } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { audienceText } from './audience.tsx';
import styles from './campaigns.module.css';
import { describeTime, findRecipients } from './schedule-text.ts';
import { FollowUpDialog } from './send-dialog.tsx';
import { type SendingTimeProps, SlowSending, sendingTimeText } from './sending-time.tsx';
import { removeDraft } from './use-draft.ts';

const STATES: Readonly<Record<CampaignState, readonly [text: string, look: string | undefined]>> = {
  draft: ['Draft', `${ui.muted} ${ui.pending}`],
  scheduled: ['Scheduled', `${ui.muted} ${ui.planned}`],
  sending: ['Sending', ui.active],
  paused: ['Paused', ui.warning],
  done: ['Done', `${ui.muted} ${ui.done}`],
  cancelled: ['Canceled', `${ui.muted} ${ui.ended}`],
};

interface CampaignCardProps {
  readonly campaign: Campaign;
  /** All campaigns, including the one that this one follows. */
  readonly campaigns: readonly Campaign[];
  readonly sending: SendingTimeProps;
  readonly names: SegmentNames;
  /** Opens a draft in the editor, or shows the text of a campaign that was started. */
  readonly onOpen: (id: string) => void;
}

/** A campaign with its progress and the actions that are possible now. */
export function CampaignCard({ campaign, campaigns, sending, names, onOpen }: CampaignCardProps) {
  const { zone } = sending;
  const { id, state, started_at } = campaign;
  const may = useMay();
  const [asked, setAsked] = useState<'cancel' | 'remove' | 'follow-up' | null>(null);
  const change = usePost(`/campaigns/${id}/state`);
  const remove = useAction((api) => removeDraft(api, id), { refreshes: [['campaigns', 'list']] });
  const followUp = usePost<Campaign>(`/campaigns/${id}/follow-up`);
  const mayFollow = mayBeFollowed(campaign) && campaigns.every(({ follows }) => follows !== id);
  const subject = campaign.subject || 'Without a subject';
  const spentUntil = state === 'sending' && sending.pausedUntil === null ? sending.quota.spent_until : null;
  const [text, look] =
    spentUntil === null ? STATES[state] : [`Continues at ${formatClock(spentUntil, zone)}`, ui.warning];
  return (
    <Card
      title={subject}
      actions={
        <>
          <Button onClick={() => onOpen(id)}>{state === 'draft' ? 'Edit' : 'Read'}</Button>
          {may() && mayChangeCampaign(state, 'draft') && (
            <Button busy={change.isPending} onClick={() => change.mutate({ to: 'draft' })}>
              Unschedule
            </Button>
          )}
          {mayFollow && <Button onClick={() => setAsked('follow-up')}>Follow up…</Button>}
          {may() && mayChangeCampaign(state, 'paused') && (
            <Button busy={change.isPending} onClick={() => change.mutate({ to: 'paused' })}>
              Pause
            </Button>
          )}
          {may() && state === 'paused' && (
            <Button look="primary" busy={change.isPending} onClick={() => change.mutate({ to: 'sending' })}>
              Resume
            </Button>
          )}
          {state === 'draft' ? (
            <Button look="danger" onClick={() => setAsked('remove')}>
              Delete…
            </Button>
          ) : (
            may() &&
            mayChangeCampaign(state, 'cancelled') && (
              <Button look="danger" onClick={() => setAsked('cancel')}>
                Cancel…
              </Button>
            )
          )}
        </>
      }
    >
      <p className={ui.text}>
        <span className={`${ui.badge} ${look} ${styles.state}`}>{text}</span>{' '}
        <span className={ui.hint}>
          {describeTime(campaign, campaigns, zone)}
          {`, to ${findRecipients(campaign, campaigns) ?? audienceText(campaign.audience, names)}`}
        </span>
      </p>
      {started_at !== null && <Progress campaign={campaign} sending={sending} />}
      {asked === 'cancel' && (
        <ConfirmDialog
          title="Cancel this campaign?"
          action="Cancel campaign"
          back="Keep it"
          busy={change.isPending}
          onConfirm={() => change.mutate({ to: 'cancelled' }, { onSuccess: () => setAsked(null) })}
          onClose={() => setAsked(null)}
        >
          No one else receives it. A canceled campaign cannot be started again.
        </ConfirmDialog>
      )}
      {asked === 'remove' && (
        <ConfirmDialog
          title="Delete this draft?"
          action="Delete draft"
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsked(null)}
        >
          {`“${subject}” was not sent to anyone.`}
        </ConfirmDialog>
      )}
      {asked === 'follow-up' && (
        <FollowUpDialog
          subject={subject}
          days={null}
          busy={followUp.isPending}
          error={null}
          onSave={(after_days) => followUp.mutate({ after_days }, { onSuccess: (draft) => onOpen(draft.id) })}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  );
}

function Progress({ campaign, sending }: Pick<CampaignCardProps, 'campaign' | 'sending'>) {
  const { subject, people, sent, failed, unknown, state, stopped_at } = campaign;
  const problems = [
    failed > 0 && `${formatNumber(failed)} failed`,
    unknown > 0 && `${formatNumber(unknown)} unknown`,
  ].filter((part) => part !== false);
  return (
    <div className={styles.progress}>
      {state !== 'done' && (
        <ProgressBar label={`Progress of ${subject}`} value={people === 0 ? 1 : (sent + failed + unknown) / people} />
      )}
      <span>{[`${formatNumber(sent)} of ${formatCount(people, 'person', 'people')}`, ...problems].join(', ')}</span>
      {stopped_at !== null && (
        <span className={ui.hint}>
          {`Paused ${formatDateTime(stopped_at, sending.zone)}, because too many people reported your emails as spam (see Mail). Resuming resets the complaint count.`}
        </span>
      )}
      {state === 'sending' && sending.pausedUntil !== null && (
        <span className={ui.hint}>
          The mail server refuses your emails (see Mail). Next attempt:{' '}
          {formatDateTime(sending.pausedUntil, sending.zone)}.
        </span>
      )}
      {state === 'sending' && sending.pausedUntil === null && (
        <>
          <span className={ui.hint}>
            {sending.quota.spent_until !== null &&
              `Campaigns have used up this hour’s quota of ${formatCount(sending.quota.per_hour, 'email', 'emails')}. `}
            {`Sending ${sendingTimeText(sending)}.`}
          </span>
          <SlowSending {...sending} />
        </>
      )}
    </div>
  );
}

/** Posts to this path and refreshes the list of campaigns. */
function usePost<T = unknown>(path: string) {
  return useAction((api, body: object) => api.post<T>(path, body), { refreshes: [['campaigns', 'list']] });
}
