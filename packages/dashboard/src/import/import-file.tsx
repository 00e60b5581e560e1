import { Upload as UploadIcon } from 'lucide-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import { formatCount, formatNumber, upperFirst, withFullStop } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Loading, ProgressBar } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import styles from './import.module.css';
import { ImportColumns } from './import-columns.tsx';
import type { ImportProgress } from './import-events.ts';
import { Lines, ProblemLines } from './import-lines.tsx';
import { ImportQuestions } from './import-questions.tsx';
import { Imported } from './imported.tsx';
import { nameImportAction, Outcome, onlyUnsubscribes, Summary } from './outcome.tsx';
import { useImport } from './use-import.ts';

interface ImportFileProps {
  readonly zone: string;
  /** Called to start over with another file. */
  readonly onAgain: () => void;
}

export function ImportFile({ zone, onAgain }: ImportFileProps) {
  const { upload, report, progress, check, run, choose, change, start, stop, readProblems } = useImport();
  const [isWelcomed, setWelcomed] = useState(false);
  const isBusy = run.isPending;
  if (run.data && upload) {
    return (
      <>
        <Imported report={run.data} name={upload.file.name} onAgain={onAgain} />
        <ProblemLines report={run.data} onDownload={() => readProblems(upload)} />
      </>
    );
  }
  const problem = check.error?.message ?? report?.problem ?? null;
  return (
    <>
      <Card title="File">
        <div className={ui.stack}>
          <DropZone name={upload?.file.name ?? null} disabled={isBusy} onChoose={choose} />
          <div role="status" className={styles.outcome}>
            {check.isPending && report === null && <p className={ui.text}>Checking the file…</p>}
            {report && report.problem === null && <Outcome report={report} verbs={['will be', 'will be']} />}
          </div>
          {problem !== null && <Problem>{withFullStop(upperFirst(problem))}</Problem>}
          {report && <Summary report={report} />}
        </div>
      </Card>
      {!report && check.isPending && <Loading bones={[14, 10]} />}
      {report && upload && (
        <>
          <ImportQuestions
            questions={report.questions}
            choices={upload.values}
            disabled={isBusy}
            onChoose={(values) => change({ values })}
          />
          <ImportColumns
            report={report}
            choices={upload.columns}
            dates={upload.dates}
            disabled={isBusy}
            onChoose={change}
          />
          <ProblemLines report={report} onDownload={() => readProblems(upload)} />
          <Lines report={report} zone={zone} />
          <section className={styles.bar} aria-label="Import">
            {run.error && (
              <Problem>
                {run.error.name === 'AbortError' ? 'Import stopped.' : withFullStop(upperFirst(run.error.message))}{' '}
                Import the file again to continue. People already added are skipped.
              </Problem>
            )}
            {progress && <Progress {...progress} />}
            {!onlyUnsubscribes(report) && (
              <label className={ui.row}>
                <input
                  type="checkbox"
                  checked={isWelcomed}
                  disabled={isBusy}
                  onChange={({ target }) => setWelcomed(target.checked)}
                />
                Send them the welcome email
              </label>
            )}
            <div className={`${ui.row} ${styles.actions}`}>
              {isBusy && <Button onClick={stop}>Stop</Button>}
              {/* Stays in place during the import, so that the second click of a double click does not hit "Stop". */}
              <Button
                look="primary"
                busy={isBusy}
                disabled={report.counts.added + report.counts.unsubscribed === 0 || check.isPending || check.isError}
                onClick={() => start(isWelcomed)}
              >
                {run.error ? 'Import again' : nameImportAction(report)}
              </Button>
            </div>
          </section>
        </>
      )}
    </>
  );
}

interface DropZoneProps {
  /** Null if no file is chosen. */
  readonly name: string | null;
  readonly disabled: boolean;
  readonly onChoose: (file: File | undefined) => void;
}

function DropZone({ name, disabled, onChoose }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(over && !disabled);
  };
  return (
    <label
      className={styles.drop}
      data-over={isOver || undefined}
      data-disabled={disabled || undefined}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event);
        onChoose(event.dataTransfer.files[0]);
      }}
    >
      <UploadIcon aria-hidden />
      <span className={styles.dropText}>
        <span className={ui.hidden}>CSV file: </span>
        <b>{name ?? 'Choose a CSV file, or drop it here'}</b>
        <span className={ui.hint}>
          {name === null
            ? 'One person per line, at most 100,000. Nothing is imported until you have reviewed the result.'
            : 'Choose or drop another file to start again.'}
        </span>
      </span>
      <input
        className={ui.hidden}
        type="file"
        accept=".csv,.txt,text/csv"
        disabled={disabled}
        // Reset, so that choosing the same file again triggers a change event. Its contents may have changed.
        onClick={({ currentTarget }) => {
          currentTarget.value = '';
        }}
        onChange={({ target }) => onChoose(target.files?.[0])}
      />
    </label>
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
  const share = people === 0 ? 1 : done / people;
  return (
    <div className={styles.progress}>
      <ProgressBar label="Import" value={share} />
      <span>{`${formatNumber(done)} of ${formatNumber(people)}, ${formatNumber(added)} added`}</span>
      {/* Announces only some of the numbers. A screen reader could not keep up with all of them. */}
      <p role="status" className={ui.hidden}>
        {`${Math.floor(share * 10)}0% of ${formatCount(people, 'person', 'people')} done`}
      </p>
    </div>
  );
}
