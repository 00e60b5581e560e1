import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type DateOrder,
  type ImportReport,
  type ImportReportLine,
  type ImportResult,
  PERSON_STATES,
} from 'early-access-server/admin-api';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { formatCount, formatDateTime, formatNumber, upperFirst, withFullStop } from '../format/format.ts';
import { Breakable } from '../ui/breakable.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { STATE_LABELS } from '../ui/state-badge.tsx';
import { ProgressBar } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import styles from './import.module.css';
import { type ColumnChoices, DateOrderSelect, ImportColumns } from './import-columns.tsx';
import { type ImportProgress, readImportEvents } from './import-events.ts';

/** A file, and what the admin has chosen for it. */
interface Upload {
  readonly file: File;
  readonly columns: ColumnChoices;
  readonly dates: DateOrder | null;
}

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
  const [upload, setUpload] = useState<Upload | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);
  /** Checks of earlier choices that still wait are left out. */
  const newest = useRef<Upload>(null);
  useEffect(() => () => running.current.abort(), []);

  const send = ({ file, columns, dates }: Upload, flags: Record<string, string>) => {
    running.current = new AbortController();
    const query = new URLSearchParams({ ...flags, ...(dates && { dates }) });
    for (const [number, use] of columns) query.append('column', `${use ?? 'ignore'}=${number}`);
    return api.upload('/import', query, file, running.current.signal);
  };
  const check = useMutation({
    // The server reads one file at a time, so a check waits for the one before.
    scope: { id: 'import-check' },
    mutationFn: async (next: Upload): Promise<ImportReport | null> =>
      next === newest.current ? (await send(next, { 'dry-run': '1' })).json() : null,
    onSuccess: (checked, { file }) => checked && file === newest.current?.file && setReport(checked),
  });
  const fileInput = useRef<HTMLInputElement>(null);
  const run = useMutation({
    mutationFn: async (checked: Upload) => {
      const response = await send(checked, { 'dry-run': '0', welcome: isWelcomed ? '1' : '0' });
      return readImportEvents(response, setProgress);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['people'] }),
  });
  const prepare = (next: Upload) => {
    run.reset();
    setProgress(null);
    setUpload(next);
    newest.current = next;
    check.mutate(next);
  };
  const choose = (file: File | undefined) => {
    if (file === undefined) return;
    setReport(null);
    prepare({ file, columns: new Map(), dates: null });
  };
  return (
    <Dialog title="Import people" open {...(!run.isPending && { onClose })} initialFocus={fileInput}>
      {run.data ? (
        <>
          <Outcome report={run.data} verbs={['was', 'were']} />
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
              ref={fileInput}
              className={ui.input}
              type="file"
              accept=".csv,.txt,text/csv"
              disabled={run.isPending}
              onChange={({ target }) => choose(target.files?.[0])}
            />
            <span className={ui.hint}>
              A CSV with one person per line. Exports of other products work, too. At most 100,000 lines.
            </span>
          </label>
          {check.isPending && <p role="status">Checking the file…</p>}
          {check.error && <Problem>{formatProblem(check.error.message)}</Problem>}
          {report && upload && (
            <>
              {report.problem === null ? (
                <Outcome report={report} verbs={['will be', 'will be']} />
              ) : (
                <Problem>{formatProblem(report.problem)}</Problem>
              )}
              <Groups report={report} />
              {(report.asks_date_order || upload.dates) && (
                <DateOrderSelect
                  value={upload.dates}
                  disabled={run.isPending}
                  onChoose={(dates) => prepare({ ...upload, dates })}
                />
              )}
              <ImportColumns
                report={report}
                choices={upload.columns}
                disabled={run.isPending}
                onChoose={(columns) => prepare({ ...upload, columns })}
              />
              <Lines title="Lines with a problem" lines={report.problems} total={report.counts.problem} zone={zone} />
              <Lines title="What happens with each line" lines={report.first} total={countLines(report)} zone={zone} />
              {!onlyUnsubscribes(report) && (
                <label className={ui.row}>
                  <input
                    type="checkbox"
                    checked={isWelcomed}
                    disabled={run.isPending}
                    onChange={({ target }) => setWelcomed(target.checked)}
                  />
                  Send them the welcome email
                </label>
              )}
              {progress && <Progress {...progress} />}
              {run.error && (
                <Problem>
                  {run.error.name === 'AbortError' ? 'The import was stopped.' : formatProblem(run.error.message)}{' '}
                  Import the file again to continue. People already added are skipped.
                </Problem>
              )}
            </>
          )}
          <DialogActions>
            {run.isPending ? (
              <Button onClick={() => running.current.abort()}>Stop</Button>
            ) : (
              <Button onClick={onClose}>Cancel</Button>
            )}
            {report && upload && (
              // It stays where it is while it imports, so that a second click does not hit "Stop".
              <Button
                look="primary"
                busy={run.isPending}
                disabled={report.counts.added + report.counts.unsubscribed === 0 || check.isPending || check.isError}
                onClick={() => run.mutate(upload)}
              >
                {run.error ? 'Import again' : nameImport(report)}
              </Button>
            )}
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

const formatProblem = (message: string) => withFullStop(upperFirst(message));

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

type Counts = Pick<ImportReport, 'counts'>;

/** A file may only unsubscribe people who are on the list. */
const onlyUnsubscribes = ({ counts }: Counts) => counts.added === 0 && counts.unsubscribed > 0;

/** The button's label. */
function nameImport(report: Counts): string {
  const { added, unsubscribed } = report.counts;
  const [verb, count] = onlyUnsubscribes(report) ? ['Unsubscribe', unsubscribed] : ['Import', added];
  return `${verb} ${formatCount(count, 'person', 'people')}`;
}

interface OutcomeProps {
  readonly report: Counts;
  readonly verbs: readonly [one: string, many: string];
}

function Outcome({ report, verbs: [one, many] }: OutcomeProps) {
  const { added, unsubscribed } = report.counts;
  const say = (count: number, result: string) => `${formatCount(count, `person ${one}`, `people ${many}`)} ${result}.`;
  const sentences = [
    !onlyUnsubscribes(report) && say(added, 'added'),
    unsubscribed > 0 && say(unsubscribed, 'unsubscribed'),
  ].filter((sentence) => sentence !== false);
  return (
    <p role="status" className={ui.text}>
      <b>{sentences.join(' ')}</b> {describeSkipped(report)}
    </p>
  );
}

function describeSkipped({ counts }: Counts): string {
  const parts = [
    counts['on-list'] > 0 && `${formatNumber(counts['on-list'])} on the list already`,
    counts.repeated > 0 && `${formatNumber(counts.repeated)} repeated in the file`,
    counts.problem > 0 && formatCount(counts.problem, 'line with a problem', 'lines with a problem'),
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : `Skipped: ${parts.join(', ')}.`;
}

/** The two do not break apart. */
const nameCount = (name: string, count: number) => `${name}\u00a0${formatNumber(count)}`;

/** Who will be added, by state and by source. */
function Groups({ report: { states, sources } }: { readonly report: ImportReport }) {
  if (sources.length === 0) return null;
  return (
    <dl className={ui.facts}>
      <dt>By state</dt>
      <dd>
        {PERSON_STATES.filter((state) => states[state] > 0)
          .map((state) => nameCount(STATE_LABELS[state], states[state]))
          .join(', ')}
      </dd>
      <dt>By source</dt>
      <dd>{sources.map(({ source, people }) => nameCount(source, people)).join(', ')}</dd>
    </dl>
  );
}

function countLines({ counts }: ImportReport): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

const RESULTS: Readonly<Record<ImportResult, readonly [text: string, look: string | undefined]>> = {
  added: ['New', ui.good],
  unsubscribed: ['Unsubscribed', ui.muted],
  'on-list': ['On the list', ui.muted],
  repeated: ['Repeated', ui.muted],
  problem: ['Problem', ui.bad],
};

interface LinesProps {
  readonly title: string;
  readonly lines: readonly ImportReportLine[];
  /** How many there are in the file. */
  readonly total: number;
  readonly zone: string;
}

function Lines({ title, lines, total, zone }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    <ScrollRegion label={title} className={styles.lines}>
      <table className={ui.table}>
        <caption className={styles.caption}>
          {title}{' '}
          {lines.length < total && (
            <span className={ui.hint}>{`the first ${formatNumber(lines.length)} of ${formatNumber(total)}`}</span>
          )}
        </caption>
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
                {person ? <Breakable>{person.email}</Breakable> : problem}
                {person && (
                  <span className={`${ui.hint} ${styles.details}`}>
                    {`${person.source}, ${STATE_LABELS[person.state]}, ${formatDateTime(person.created_at, zone)}`}
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
    </ScrollRegion>
  );
}
