import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ImportReport, ImportReportLine, ImportResult } from 'early-access-server/admin-api';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { formatCount, formatDateTime, formatNumber } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { ProgressBar } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import styles from './import.module.css';
import { type ImportProgress, readImportEvents } from './import-events.ts';

interface ImportDialogProps {
  readonly zone: string;
  readonly onClose: () => void;
}

/** Adds people from a CSV: first shows what would happen with each line, then imports. */
export function ImportDialog({ zone, onClose }: ImportDialogProps) {
  const api = useApi();
  const client = useQueryClient();
  const running = useRef(new AbortController());
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const [isWelcomed, setWelcomed] = useState(false);
  useEffect(() => () => running.current.abort(), []);

  const upload = async (file: File, query: Record<string, string>) => {
    running.current.abort();
    running.current = new AbortController();
    return api.upload('/import', new URLSearchParams(query), file, running.current.signal);
  };
  const check = useMutation({
    mutationFn: async (file: File): Promise<{ file: File; report: ImportReport }> => {
      const response = await upload(file, { 'dry-run': '1' });
      return { file, report: await response.json() };
    },
  });
  const run = useMutation({
    mutationFn: async (file: File) => {
      const response = await upload(file, { 'dry-run': '0', welcome: isWelcomed ? '1' : '0' });
      return readImportEvents(response, setProgress);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['people'] }),
  });
  const choose = (file: File | undefined) => {
    run.reset();
    setProgress(null);
    if (file) check.mutate(file);
  };

  const checked = check.data;
  return (
    <Dialog title="Import people" open onClose={onClose}>
      {run.data ? (
        <>
          <p role="status" className={ui.text}>
            <b>{formatCount(run.data.counts.added, 'person was', 'people were')} added.</b> {skippedText(run.data)}
          </p>
          <DialogActions>
            <Button look="primary" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </>
      ) : (
        <>
          <label className={ui.field}>
            CSV file
            <input
              className={ui.input}
              type="file"
              accept=".csv,.txt,text/csv"
              disabled={run.isPending}
              onChange={({ target }) => choose(target.files?.[0])}
            />
            <span className={ui.hint}>
              One person per line. Columns: email, and if you like source, date and state. At most 100,000 lines.
            </span>
          </label>
          {check.isPending && <p role="status">Checking the file…</p>}
          {check.error && <Problem>{check.error.message}</Problem>}
          {checked && (
            <>
              <p role="status" className={ui.text}>
                <b>{formatCount(checked.report.counts.added, 'person', 'people')} will be added.</b>{' '}
                {skippedText(checked.report)}
              </p>
              <Lines title="Lines with a problem" lines={checked.report.problems} zone={zone} />
              <Lines title="What happens with each line" lines={checked.report.first} zone={zone} />
              <label className={ui.row}>
                <input
                  type="checkbox"
                  checked={isWelcomed}
                  disabled={run.isPending}
                  onChange={({ target }) => setWelcomed(target.checked)}
                />
                Send them the welcome email
              </label>
              {progress && <Progress {...progress} />}
              {run.error && (
                <Problem>
                  {run.error.name === 'AbortError' ? 'The import was stopped.' : run.error.message} Import the file
                  again to continue. People already added are skipped.
                </Problem>
              )}
              <DialogActions>
                {run.isPending ? (
                  <Button onClick={() => running.current.abort()}>Stop</Button>
                ) : (
                  <Button
                    look="primary"
                    disabled={checked.report.counts.added === 0}
                    onClick={() => run.mutate(checked.file)}
                  >
                    {run.error
                      ? 'Import again'
                      : `Import ${formatCount(checked.report.counts.added, 'person', 'people')}`}
                  </Button>
                )}
              </DialogActions>
            </>
          )}
        </>
      )}
    </Dialog>
  );
}

function Problem({ children }: { readonly children: ReactNode }) {
  return (
    <p role="alert" className={`${ui.text} ${ui.problem}`}>
      {children}
    </p>
  );
}

function Progress({ done, people, added }: ImportProgress) {
  return (
    <div className={styles.progress}>
      <ProgressBar label="Import" value={people === 0 ? 1 : done / people} />
      <span>{`${formatNumber(done)} of ${formatNumber(people)}, ${formatNumber(added)} added`}</span>
    </div>
  );
}

function skippedText({ counts }: ImportReport): string {
  const parts = [
    counts['on-list'] > 0 && `${formatNumber(counts['on-list'])} on the list already`,
    counts.repeated > 0 && `${formatNumber(counts.repeated)} repeated in the file`,
    counts.problem > 0 && formatCount(counts.problem, 'line with a problem', 'lines with a problem'),
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : `Skipped: ${parts.join(', ')}.`;
}

const RESULTS: Readonly<Record<ImportResult, readonly [text: string, look: string | undefined]>> = {
  added: ['New', ui.good],
  'on-list': ['On the list', ui.muted],
  repeated: ['Repeated', ui.muted],
  problem: ['Problem', ui.bad],
};

interface LinesProps {
  readonly title: string;
  readonly lines: readonly ImportReportLine[];
  readonly zone: string;
}

function Lines({ title, lines, zone }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={`${ui.scroll} ${styles.lines}`} tabIndex={0} aria-label={title}>
      <table className={ui.table}>
        <caption className={styles.caption}>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Person</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ line, result, person, problem }) => (
            <tr key={line}>
              <td className={ui.number}>{formatNumber(line)}</td>
              <td className={styles.person}>
                {person?.email ?? problem}
                {person && (
                  <span className={`${ui.hint} ${styles.details}`}>
                    {`${person.source}, ${person.state}, ${formatDateTime(person.created_at, zone)}`}
                  </span>
                )}
              </td>
              <td>
                <span className={`${ui.badge} ${RESULTS[result][1]}`}>{RESULTS[result][0]}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
