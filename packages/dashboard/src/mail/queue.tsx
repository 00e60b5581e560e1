import type { MailResponse } from 'early-access-server/admin-api';
import { CircleAlert, CirclePause, Unplug } from 'lucide-react';
import { Link } from 'wouter';
import { useAction } from '../api/use-action.ts';
import { formatCount, formatDateTime, formatNumber } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Card, Facts } from '../ui/card.tsx';
import { Notice } from '../ui/states.tsx';
import styles from './mail.module.css';

interface QueueProps {
  readonly mail: MailResponse;
  readonly zone: string;
}

/** The mail server rejects emails for a reason unrelated to their recipients. */
export function PauseNotice({ mail: { pause }, zone }: QueueProps) {
  const resume = useAction((api) => api.post('/mail/resume'), {
    refreshes: [['mail']],
    done: () => 'Retrying the next email.',
  });
  if (pause === null) return null;
  return (
    <Notice
      icon={CirclePause}
      look="warning"
      action={
        <Button busy={resume.isPending} onClick={() => resume.mutate()}>
          Try now
        </Button>
      }
    >
      <b>The mail queue is paused, because the mail server refuses your emails.</b> Nobody is marked as bounced, and all
      other emails wait. It said:
      <q className={styles.words}>{pause.reason}</q>
      {pause.advice} The next email is tried on {formatDateTime(pause.until, zone)}; the others follow once it is
      accepted. Refused since {formatDateTime(pause.since, zone)}.
    </Notice>
  );
}

/** The last attempts failed, and the queue is not paused. */
export function TroubleNotice({ mail: { trouble, counts, next_due_at }, zone }: QueueProps) {
  if (trouble === null) return null;
  const isUnreachable = trouble.kind === 'unreachable';
  const next = next_due_at === null ? '' : ` The next attempt is on ${formatDateTime(next_due_at, zone)}.`;
  return (
    <Notice icon={isUnreachable ? Unplug : CircleAlert} look="warning">
      <b>
        {isUnreachable
          ? `The mail server has been unreachable since ${formatDateTime(trouble.since, zone)}.`
          : 'The mail server refused the last recipient, perhaps because of your setup.'}
      </b>{' '}
      {isUnreachable ? `${formatCount(counts.queued, 'email waits', 'emails wait')}.${next}` : 'It said:'}
      <q className={styles.words}>{trouble.reason}</q>
      {trouble.advice}
      {!isUnreachable && ' If it also refuses the next one, the mail queue pauses.'}
    </Notice>
  );
}

/** Too many people reported emails as spam. */
export function ComplaintNotice({ mail: { complaints }, zone }: QueueProps) {
  const { level, since, emails, complaints: reported } = complaints;
  if (level === 'fine') return null;
  const people = formatCount(reported, 'person reported an email', 'people reported an email');
  const isTooHigh = level === 'too-high';
  return (
    <Notice icon={isTooHigh ? CirclePause : CircleAlert} look="warning">
      <b>
        {isTooHigh
          ? 'Campaigns are paused, because too many people report your emails as spam.'
          : 'You get more spam complaints than Gmail recommends.'}
      </b>{' '}
      {`Of ${formatCount(emails, 'email', 'emails')} sent since ${formatDateTime(since, zone)}, ${people} as spam. `}
      {isTooHigh ? (
        <>
          Above 0.3%, providers reject all of your emails. Other emails, such as confirmations, are still sent. Find out
          who did not expect your email before you resume the campaign under <Link to="?page=campaigns">Campaigns</Link>
          .
        </>
      ) : (
        'Gmail asks for less than 0.1%. Above 0.3% campaigns pause.'
      )}
    </Notice>
  );
}

/** The number of waiting emails, with the reason and the time of the next attempt. */
export function Queue({ mail, zone }: QueueProps) {
  const { counts, waiting, quota, pause, next_due_at } = mail;
  const { due, planned, planned_at, of_paused_campaigns: held } = waiting;
  return (
    <Card title="Queue">
      <Facts
        facts={[
          ['Waiting', formatNumber(counts.queued)],
          ['Due', due > 0 && `${formatNumber(due)}, ${describeTurn(mail, zone)}`],
          [
            'To retry',
            planned > 0 &&
              `${formatNumber(planned)}${planned_at === null ? '' : `, the first on ${formatDateTime(Math.max(planned_at, pause?.until ?? 0), zone)}`}`,
          ],
          [
            'In paused campaigns',
            held > 0 && (
              <>
                {formatNumber(held)}, waiting until you resume it under <Link to="?page=campaigns">Campaigns</Link>
              </>
            ),
          ],
          ['Being sent', counts.sending > 0 && formatNumber(counts.sending)],
          ['Next attempt', describeNext(next_due_at, counts.queued, zone)],
          ['Quota', `${formatNumber(quota.per_hour)} per hour`],
          [
            'Quota this hour',
            quota.spent_until === null
              ? 'Not reached'
              : `Reached. The next hour begins on ${formatDateTime(quota.spent_until, zone)}`,
          ],
          ['Paused', pause !== null && `Until ${formatDateTime(pause.until, zone)}`],
        ]}
      />
    </Card>
  );
}

function describeTurn({ pause, quota }: MailResponse, zone: string): string {
  if (pause !== null) return `waiting until the pause ends on ${formatDateTime(pause.until, zone)}`;
  if (quota.spent_until !== null)
    return `waiting until the next hour begins on ${formatDateTime(quota.spent_until, zone)}`;
  return `at most ${formatNumber(quota.per_hour)} an hour`;
}

function describeNext(nextDueAt: number | null, queued: number, zone: string): string {
  if (nextDueAt !== null) return formatDateTime(nextDueAt, zone);
  return queued === 0 ? 'Nothing is waiting' : 'None until the campaign is resumed';
}
