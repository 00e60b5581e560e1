import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { formatNumber } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { saveFile } from '../ui/csv.ts';
import { useNotify } from '../ui/toasts.tsx';
import styles from './people.module.css';
import { type PeopleState, peopleQuery } from './people-state.ts';
import { receive } from './receive.ts';

interface CsvExportProps {
  readonly state: PeopleState;
  readonly zone: string;
  /** How many people it will have, if that is known. */
  readonly total: number | null;
}

/** Downloads everyone the filter matches, and says how far it is. */
export function CsvExport({ state, zone, total }: CsvExportProps) {
  const api = useApi();
  const notify = useNotify();
  const running = useRef<AbortController>(null);
  const [received, setReceived] = useState<number | null>(null);
  const start = async () => {
    const controller = new AbortController();
    running.current = controller;
    setReceived(0);
    try {
      const response = await api.stream('/people.csv', peopleQuery(state, zone), controller.signal);
      const parts = await receive(response, setReceived);
      saveFile('people.csv', parts);
      notify.done('The CSV is in your downloads.');
    } catch (error) {
      if (!controller.signal.aborted) notify.failed(error instanceof Error ? error : new Error('The download failed.'));
    } finally {
      setReceived(null);
    }
  };
  if (received === null) {
    return (
      <Button onClick={start} aria-disabled={total === 0}>
        <Download aria-hidden />
        Download CSV
      </Button>
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
