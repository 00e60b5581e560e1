import type { InviteWave, WithdrawResponse } from 'early-access-server/admin-api';
import { Ticket } from 'lucide-react';
import { Link } from 'wouter';
import { useAction } from '../api/use-action.ts';
import { formatCount, formatDateTime, formatNumber } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty, ProgressBar, StateText } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import styles from './invites.module.css';

interface WavesProps {
  readonly waves: readonly InviteWave[];
  readonly zone: string;
}

export function Waves({ waves, zone }: WavesProps) {
  if (waves.length === 0) {
    return (
      <Card title="Waves" actions={<CertainPeople />}>
        <Empty icon={Ticket} title="Nobody has been invited yet">
          <StateText>Each time you invite people, the wave is listed here with its progress.</StateText>
        </Empty>
      </Card>
    );
  }
  return (
    <Card title="Waves" actions={<CertainPeople />}>
      <ul className={ui.list}>
        {waves.map((wave) => (
          <Wave key={wave.id} wave={wave} zone={zone} />
        ))}
      </ul>
    </Card>
  );
}

function CertainPeople() {
  return (
    <Link to="?page=people&state=subscribed" className={ui.button}>
      Choose people
    </Link>
  );
}

function Wave({ wave, zone }: { readonly wave: InviteWave; readonly zone: string }) {
  const { people, sent, queued, failed, joined } = wave;
  const started = formatDateTime(wave.created_at, zone);
  const parts = [
    `${formatNumber(sent)} sent`,
    queued > 0 && `${formatNumber(queued)} waiting`,
    failed > 0 && `${formatNumber(failed)} not delivered`,
    `${formatNumber(joined)} joined`,
  ];
  return (
    <li className={ui.entry}>
      <div className={styles.progress}>
        <p className={ui.text}>
          <b className={styles.people}>{formatCount(people, 'person', 'people')}</b>{' '}
          <span className={ui.muted}>{started}</span>
        </p>
        {queued > 0 && <ProgressBar label={`Emails of ${started}`} value={(people - queued) / people} />}
        <p className={`${ui.text} ${ui.hint}`}>{parts.filter(Boolean).join(', ')}</p>
      </div>
      {queued > 0 && <Withdraw wave={wave} started={started} />}
    </li>
  );
}

/** Withdraws the wave's unsent invitations. These people wait again and can be invited again. */
function Withdraw({ wave, started }: { readonly wave: InviteWave; readonly started: string }) {
  const withdraw = useAction((api) => api.post<WithdrawResponse>(`/invites/${encodeURIComponent(wave.id)}/withdraw`), {
    refreshes: [['list'], ['people']],
    done: ({ withdrawn }) =>
      withdrawn === 0
        ? 'Nothing withdrawn: every email in this wave has been sent or is being sent.'
        : `${formatCount(withdrawn, 'invitation', 'invitations')} withdrawn.`,
  });
  return (
    <Button
      busy={withdraw.isPending}
      aria-label={`Withdraw unsent invitations of ${started}`}
      onClick={() => withdraw.mutate()}
    >
      {withdraw.isPending ? 'Withdrawing…' : 'Withdraw unsent'}
    </Button>
  );
}
