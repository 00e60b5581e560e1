import { useQueryClient } from '@tanstack/react-query';
import type { BulkJob, BulkJobsResponse } from 'early-access-server/admin-api';
import { useEffect, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { formatCount, formatNumber } from '../format/format.ts';
import { useMay } from '../shell/role.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ProgressBar } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';

const LOOK_MS = 2_000;
/** Older results are only in the audit log. */
const SHOWN_MS = 3_600_000;

const TITLES: Readonly<Record<BulkJob['action'], string>> = {
  invite: 'Inviting people',
  unsubscribe: 'Unsubscribing people',
  label: 'Changing labels',
  forget: 'Erasing people',
};
const DONE: Readonly<Record<BulkJob['action'], string>> = {
  invite: 'invited',
  unsubscribe: 'unsubscribed',
  label: 'labeled',
  forget: 'erased',
};

const isEnded = ({ state }: BulkJob) => state === 'done' || state === 'cancelled';

/** The progress and result of an action on everyone who matched a filter. */
export function BulkProgress() {
  const client = useQueryClient();
  const mayChange = useMay()();
  const [hidden, setHidden] = useState('');
  const { data } = useRead<BulkJobsResponse>(['bulk'], '/bulk', {
    refetchInterval: ({ state }) => (state.data?.jobs[0] && !isEnded(state.data.jobs[0]) ? LOOK_MS : false),
  });
  const job = data?.jobs[0];
  const change = useAction((api, to: 'pause' | 'resume' | 'cancel') => api.post(`/bulk/${job?.id}/${to}`), {
    refreshes: [['bulk']],
  });
  const state = job?.state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it did is shown once it has ended
  useEffect(() => {
    for (const key of ['people', 'list']) void client.invalidateQueries({ queryKey: [key] });
  }, [client, state]);
  if (!job || job.id === hidden || (job.ended_at !== null && job.ended_at < Date.now() - SHOWN_MS)) return null;
  const finished = job.done + job.unchanged + job.left + job.traces;
  return (
    <Card title={TITLES[job.action]}>
      {!isEnded(job) && <ProgressBar label="Progress" value={job.is_collecting ? undefined : finished / job.people} />}
      <p role="status" className={ui.text}>
        {describe(job, finished)}
      </p>
      <div className={ui.row}>
        {mayChange && job.state === 'running' && <Button onClick={() => change.mutate('pause')}>Pause</Button>}
        {mayChange && job.state === 'paused' && <Button onClick={() => change.mutate('resume')}>Resume</Button>}
        {isEnded(job) && <Button onClick={() => setHidden(job.id)}>Hide</Button>}
        {mayChange && !isEnded(job) && (
          <Button look="danger" onClick={() => change.mutate('cancel')}>
            Cancel
          </Button>
        )}
      </div>
    </Card>
  );
}

function describe(job: BulkJob, finished: number): string {
  const { people, done, unchanged, left, traces, state } = job;
  if (job.is_collecting) return `Collecting ${formatCount(people, 'person', 'people')}. Nothing has been done yet.`;
  const sentences = [
    !isEnded(job) && `${formatNumber(finished)} of ${formatCount(people, 'person', 'people')}.`,
    state === 'paused' && 'Paused.',
    state === 'cancelled' && `Canceled after ${formatNumber(finished)} of ${formatCount(people, 'person', 'people')}.`,
    isEnded(job) && `${formatCount(done + traces, 'person', 'people')} ${DONE[job.action]}.`,
    unchanged > 0 && `${formatCount(unchanged, 'person is', 'people are')} unchanged.`,
    left > 0 && `${formatCount(left, 'person', 'people')} skipped, because an email to them was being sent.`,
    traces > 0 &&
      `Traces of ${formatCount(traces, 'person', 'people')} may remain in the database file, because another program was reading it. Close that program and restart the server.`,
  ];
  return sentences.filter((sentence) => sentence !== false).join(' ');
}
