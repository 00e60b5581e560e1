import type { CountResponse } from 'early-access-server/admin-api';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { formatCount, formatNumber } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { saveFile } from '../ui/csv.ts';
import { useNotify } from '../ui/toasts.tsx';
import styles from './people.module.css';
import { type PeopleState, peopleFilter } from './people-state.ts';
import { receive } from './receive.ts';

interface CsvExportProps {
  readonly state: PeopleState;
  readonly zone: string;
  /** The number of people who match; undefined while unknown. */
  readonly matching: CountResponse | undefined;
}

/** Downloads everyone who matches the filter, after a dialog with their number. Shows the progress. */
export function CsvExport({ state, zone, matching }: CsvExportProps) {
  const api = useApi();
  const notify = useNotify();
  const running = useRef<AbortController>(null);
  const [received, setReceived] = useState<number | null>(null);
  const [isAsking, setAsking] = useState(false);
  const total = matching?.is_partial ? null : (matching?.count ?? null);
  const start = async () => {
    setAsking(false);
    const controller = new AbortController();
    running.current = controller;
    setReceived(0);
    try {
      const response = await api.stream('/people.csv', peopleFilter(state, zone), controller.signal);
      const parts = await receive(response, setReceived);
      saveFile('people.csv', parts);
      notify.done('CSV downloaded.');
    } catch (error) {
      if (!controller.signal.aborted) notify.failed(error instanceof Error ? error : new Error('The download failed.'));
    } finally {
      setReceived(null);
    }
  };
  if (received === null) {
    return (
      <>
        <Button onClick={() => setAsking(true)} disabled={!matching?.count}>
          <Download aria-hidden />
          Download CSV
        </Button>
        {isAsking && matching && (
          <ConfirmDialog
            title={`Download ${matching.is_partial ? 'at least ' : ''}${formatCount(matching.count, 'person', 'people')}?`}
            action="Download"
            look="primary"
            busy={false}
            onConfirm={start}
            onClose={() => setAsking(false)}
          >
            The file contains everyone who matches now, with addresses, states, times, consent and fields. The audit log
            records the download.
          </ConfirmDialog>
        )}
      </>
    );
  }
  return (
    <div className={styles.export}>
      <span>
        <progress aria-label="Download" {...(total ? { value: Math.min(1, received / total) } : {})} />
        {` ${formatNumber(received)}${total === null ? '' : ` of ${formatNumber(total)}`}`}
      </span>
      <Button onClick={() => running.current?.abort()}>Cancel</Button>
    </div>
  );
}
