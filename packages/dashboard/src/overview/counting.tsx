import type { DashboardResponse } from 'early-access-server/admin-api';
import { Hourglass } from 'lucide-react';
import { formatDateTime } from '../format/format.ts';
import { Notice, ProgressBar } from '../ui/states.tsx';

/** Explains why the figures are incomplete. */
export function Counting({ failure, progress, zone }: Pick<DashboardResponse, 'failure' | 'progress' | 'zone'>) {
  return (
    <>
      {failure !== null && (
        <Notice look="warning">
          Background counting of sessions has failed since {formatDateTime(failure.since, zone)}: {failure.reason}.
          Recent sessions may be missing.
        </Notice>
      )}
      {progress < 1 && (
        <Notice icon={Hourglass}>
          Older sessions are still being counted: {Math.floor(progress * 100)}%. The figures grow until then.
          <ProgressBar label="Older sessions counted" value={progress} />
        </Notice>
      )}
    </>
  );
}
