import type { Campaign, SeriesResponse } from 'early-access-server/admin-api';
import { mayEdit } from 'early-access-server/admin-pages';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { formatCount, formatDateTime, formatNumber } from '../format/format.ts';
import { useMay } from '../shell/role.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { Notice, QueryState } from '../ui/states.tsx';
import { TableHead } from '../ui/table-head.tsx';
import ui from '../ui/ui.module.css';
import styles from './campaigns.module.css';
import { listSteps, TimingDialog } from './timing-dialog.tsx';
import { removeDraft, saveLeft } from './use-draft.ts';

const COUNTS = ['Waiting', 'Sent', 'Failed', 'Unsubscribed', 'Joined since'] as const;

interface SeriesCardProps {
  readonly campaigns: readonly Campaign[];
  readonly canSend: boolean;
  readonly zone: string;
  /** Opens a draft in the editor, or shows the text of an email that is on. */
  readonly onOpen: (id: string) => void;
}

/** The emails that each person gets some days after signing up, with their progress. */
export function SeriesCard({ campaigns, canSend, zone, onOpen }: SeriesCardProps) {
  const [asked, setAsked] = useState<'add' | 'start' | Campaign | null>(null);
  const may = useMay();
  const steps = listSteps(campaigns);
  const query = useRead<SeriesResponse>(
    ['campaigns', 'series', steps.map(({ revision }) => revision)],
    '/campaigns/series',
  );
  const change = useAction(
    async (api, to: 'sending' | 'paused') => {
      if (to === 'sending') await saveLeft(api);
      await api.post('/campaigns/series/state', { to });
    },
    {
      refreshes: [['campaigns']],
      done: (_, to) => (to === 'sending' ? 'Series turned on.' : 'Series paused.'),
      onDone: () => setAsked(null),
    },
  );
  const end = useAction(
    (api, { id, state }: Campaign) =>
      state === 'draft' ? removeDraft(api, id) : api.post(`/campaigns/${id}/state`, { to: 'cancelled' }),
    { refreshes: [['campaigns']], onDone: () => setAsked(null) },
  );
  const isRunning = steps.some(({ state }) => state === 'sending');
  const maySwitchOn = steps.some(mayEdit);
  const stoppedAt = steps.find(({ stopped_at }) => stopped_at !== null)?.stopped_at ?? null;
  return (
    <Card
      title="After signing up"
      actions={
        <>
          {may() && isRunning && (
            <Button busy={change.isPending} onClick={() => change.mutate('paused')}>
              Pause
            </Button>
          )}
          {may() && maySwitchOn && (
            <Button disabled={!canSend} onClick={() => setAsked('start')}>
              Turn on…
            </Button>
          )}
          <Button onClick={() => setAsked('add')}>Add an email…</Button>
        </>
      }
    >
      {stoppedAt !== null && (
        <Notice look="warning">
          {`Paused ${formatDateTime(stoppedAt, zone)}, because too many people reported your emails as spam (see Mail). Turning it on resets the complaint count.`}
        </Notice>
      )}
      {steps.length === 0 ? (
        <p className={`${ui.text} ${ui.hint}`}>
          Emails that go to each person automatically, days after they sign up, are invited or join.
        </p>
      ) : (
        <QueryState query={query} bones={[8]} zone={zone}>
          {(series) => (
            <ScrollRegion label="Emails after signing up">
              <table className={`${ui.table} ${ui.cards}`}>
                <TableHead columns={['Email', 'State', ...COUNTS, 'Actions']} numbers={COUNTS} />
                <tbody>
                  {steps.map((step) => (
                    <StepRow
                      key={step.id}
                      step={step}
                      about={series.steps.find(({ id }) => id === step.id)}
                      onOpen={onOpen}
                      onEnd={may() ? () => setAsked(step) : null}
                    />
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
          )}
        </QueryState>
      )}
      {asked === 'add' && (
        <TimingDialog step={null} campaigns={campaigns} onSaved={onOpen} onClose={() => setAsked(null)} />
      )}
      {asked === 'start' && (
        <ConfirmDialog
          title="Turn on the series?"
          action="Turn on"
          look="primary"
          busy={change.isPending}
          onConfirm={() => change.mutate('sending')}
          onClose={() => setAsked(null)}
        >
          {query.data?.start.join(' ') ?? 'Counting…'}
        </ConfirmDialog>
      )}
      {typeof asked === 'object' && asked !== null && (
        <ConfirmDialog
          title={asked.state === 'draft' ? 'Delete this email?' : 'End this email?'}
          action={asked.state === 'draft' ? 'Delete email' : 'End email'}
          back="Keep it"
          busy={end.isPending}
          onConfirm={() => end.mutate(asked)}
          onClose={() => setAsked(null)}
        >
          {asked.state === 'draft'
            ? `“${asked.subject || 'Without a subject'}” was not sent to anyone.`
            : 'Nobody else gets it, and it cannot be turned on again. Later emails still go to people who got it.'}
        </ConfirmDialog>
      )}
    </Card>
  );
}

const STATES = {
  draft: ['Draft', `${ui.muted} ${ui.pending}`],
  sending: ['On', `${ui.muted} ${ui.done}`],
  paused: ['Paused', ui.warning],
} as const;

interface StepRowProps {
  readonly step: Campaign;
  readonly about: SeriesResponse['steps'][number] | undefined;
  readonly onOpen: (id: string) => void;
  /** Null if the admin's role does not allow it. */
  readonly onEnd: (() => void) | null;
}

function StepRow({ step, about, onOpen, onEnd }: StepRowProps) {
  const { id, subject, state, sent, failed, unsubscribed, joined } = step;
  const name = subject || 'Without a subject';
  const [text, look] = state === 'sending' || state === 'paused' ? STATES[state] : STATES.draft;
  const { late = 0, coming = 0 } = about ?? {};
  return (
    <tr>
      <th scope="row" className={styles.email}>
        {name}
        <span className={ui.hint}>{about?.timing}</span>
      </th>
      <td data-name="State">
        <span className={`${ui.badge} ${look}`}>{text}</span>
      </td>
      <td className={ui.number} data-name="Waiting">
        {formatNumber(late + coming)}
        {late > 0 && <span className={styles.share}>{`${formatCount(late, 'is', 'are')} late`}</span>}
      </td>
      {[sent, failed, unsubscribed, joined].map((count, index) => (
        <td key={COUNTS[index + 1]} className={ui.number} data-name={COUNTS[index + 1]}>
          {formatNumber(count)}
        </td>
      ))}
      <td>
        <span className={ui.row}>
          <Button aria-label={`${mayEdit(step) ? 'Edit' : 'Read'} “${name}”`} onClick={() => onOpen(id)}>
            {mayEdit(step) ? 'Edit' : 'Read'}
          </Button>
          {onEnd && (
            <Button look="danger" aria-label={`${state === 'draft' ? 'Delete' : 'End'} “${name}”…`} onClick={onEnd}>
              {state === 'draft' ? 'Delete…' : 'End…'}
            </Button>
          )}
        </span>
      </td>
    </tr>
  );
}
