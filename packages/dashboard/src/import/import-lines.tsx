import { useMutation } from '@tanstack/react-query';
import type { ImportReport, ImportResult } from 'early-access-server/admin-api';
import { Download } from 'lucide-react';
import { formatDateTime, formatNumber } from '../format/format.ts';
import { Breakable } from '../ui/breakable.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { saveFile } from '../ui/csv.ts';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { STATE_LABELS } from '../ui/state-badge.tsx';
import { TableHead } from '../ui/table-head.tsx';
import { useNotify } from '../ui/toasts.tsx';
import ui from '../ui/ui.module.css';
import styles from './import.module.css';

interface ProblemLinesProps {
  readonly report: ImportReport;
  readonly onDownload: () => Promise<Blob>;
}

/** The first lines with a problem, and a download of all of them. */
export function ProblemLines({ report: { problems, counts }, onDownload }: ProblemLinesProps) {
  const notify = useNotify();
  const download = useMutation({
    mutationFn: onDownload,
    onSuccess: (csv) => {
      saveFile('problems.csv', [csv]);
      notify.done('CSV downloaded.');
    },
    onError: notify.failed,
  });
  if (problems.length === 0) return null;
  return (
    <Card
      title="Lines with a problem"
      actions={
        <Button className={styles.download} busy={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden />
          Download all problems (CSV)
        </Button>
      }
    >
      <Shown lines={problems.length} total={counts.problem} />
      <ScrollRegion label="Table of lines with a problem" className={styles.lines}>
        <table className={`${ui.table} ${ui.cards}`}>
          <TableHead columns={['Address', 'Line', 'Value', 'Problem']} numbers={['Line']} />
          <tbody>
            {problems.map(({ line, address, column, value, problem }) => (
              <tr key={line}>
                <th scope="row" className={styles.person}>
                  {address === null || address === '' ? 'No address' : <Breakable>{address}</Breakable>}
                </th>
                <td className={ui.number} data-name="Line">
                  {formatNumber(line)}
                </td>
                <td className={styles.person} data-name={column ?? 'Value'}>
                  {value}
                  {column !== null && <span className={`${ui.hint} ${styles.details} ${styles.column}`}>{column}</span>}
                </td>
                <td className={styles.wide} data-name="Problem">
                  {problem}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Card>
  );
}

const RESULTS: Readonly<Record<ImportResult, readonly [text: string, look: string | undefined]>> = {
  added: ['New', ui.done],
  unsubscribed: ['Unsubscribed', `${ui.muted} ${ui.ended}`],
  'on-list': ['On the list', `${ui.muted} ${ui.planned}`],
  repeated: ['Repeated', `${ui.muted} ${ui.ended}`],
  'left-out': ['Left out', `${ui.muted} ${ui.ended}`],
  problem: ['Problem', ui.bad],
};

interface LinesProps {
  readonly report: ImportReport;
  readonly zone: string;
}

/** The first lines of the file, each with its effect. */
export function Lines({ report: { first, counts }, zone }: LinesProps) {
  if (first.length === 0) return null;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <Card title="What happens to each line">
      <Shown lines={first.length} total={total} />
      <ScrollRegion label="Table of lines" className={styles.lines}>
        <table className={ui.table}>
          <TableHead columns={['Line', 'Person', 'Result']} />
          <tbody>
            {first.map(({ line, result, person, address, problem }) => (
              <tr key={line}>
                <td className={ui.number}>{formatNumber(line)}</td>
                <th scope="row" className={styles.person}>
                  <Breakable>{person?.email ?? address ?? 'No address'}</Breakable>
                  <span className={`${ui.hint} ${styles.details}`}>
                    {person
                      ? `${person.source}, ${STATE_LABELS[person.state]}, ${formatDateTime(person.created_at, zone)}`
                      : problem}
                  </span>
                </th>
                <td>
                  <span className={`${ui.badge} ${RESULTS[result][1]}`}>{RESULTS[result][0]}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Card>
  );
}

function Shown({ lines, total }: { readonly lines: number; readonly total: number }) {
  if (lines >= total) return null;
  return (
    <p
      className={`${ui.text} ${ui.hint} ${styles.shown}`}
    >{`The first ${formatNumber(lines)} of ${formatNumber(total)}`}</p>
  );
}
