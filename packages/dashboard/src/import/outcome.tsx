import { type ImportReport, PERSON_STATES } from 'early-access-server/admin-api';
import { Fragment } from 'react';
import { formatCount, formatNumber } from '../format/format.ts';
import { Facts } from '../ui/card.tsx';
import { STATE_LABELS } from '../ui/state-badge.tsx';
import { Notice } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';

type Counts = Pick<ImportReport, 'counts'>;

/** The file adds nobody and only unsubscribes people who are on the list. */
export const onlyUnsubscribes = ({ counts }: Counts) => counts.added === 0 && counts.unsubscribed > 0;

export function nameImportAction(report: Counts): string {
  const { added, unsubscribed } = report.counts;
  const [verb, count] = onlyUnsubscribes(report) ? ['Unsubscribe', unsubscribed] : ['Import', added];
  return count === 0 ? verb : `${verb} ${formatCount(count, 'person', 'people')}`;
}

interface OutcomeProps {
  readonly report: Counts;
  readonly verbs: readonly [one: string, many: string];
}

export function Outcome({ report, verbs: [one, many] }: OutcomeProps) {
  const { added, unsubscribed } = report.counts;
  const say = (count: number, result: string) => `${formatCount(count, `person ${one}`, `people ${many}`)} ${result}.`;
  const sentences = [
    !onlyUnsubscribes(report) && say(added, 'added'),
    unsubscribed > 0 && say(unsubscribed, 'unsubscribed'),
  ].filter((sentence) => sentence !== false);
  return (
    <p className={ui.text}>
      <b>{sentences.join(' ')}</b> {describeSkipped(report)}
    </p>
  );
}

function describeSkipped({ counts }: Counts): string {
  const parts = [
    counts['on-list'] > 0 && `${formatNumber(counts['on-list'])} already on the list`,
    counts.repeated > 0 && `${formatNumber(counts.repeated)} repeated in the file`,
    counts['left-out'] > 0 && `${formatNumber(counts['left-out'])} you excluded`,
    counts.problem > 0 && formatCount(counts.problem, 'line with a problem', 'lines with a problem'),
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : `Skipped: ${parts.join(', ')}.`;
}

/** A non-breaking space prevents a line break between name and count. */
const nameCount = (name: string, count: number) => `${name}\u00a0${formatNumber(count)}`;

/** Who will be added, and notes on the file. */
export function Summary({ report }: { readonly report: ImportReport }) {
  const { states, sources, skipped, undated, encoding, subscribed_by_ignoring: ignoring } = report;
  const byState = PERSON_STATES.filter((state) => states[state] > 0).map((state) =>
    nameCount(STATE_LABELS[state], states[state]),
  );
  return (
    <>
      {ignoring > 0 && (
        <Notice look="warning">
          {formatCount(ignoring, 'person', 'people')} will be subscribed because you ignore a consent value. The audit
          log records it.
        </Notice>
      )}
      <Facts
        facts={[
          ['By state', byState.join(', ')],
          ['By source', sources.map(({ source, people }) => nameCount(source, people)).join(', ')],
          [
            'Without a date',
            undated > 0 && `${formatCount(undated, 'person goes', 'people go')} to the end of the line`,
          ],
          ['Lines above the header row', skipped.length > 0 && <SkippedLines lines={skipped} />],
          ['Encoding', encoding],
        ]}
      />
    </>
  );
}

function SkippedLines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <>
      Not imported:{' '}
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines do not change
        <Fragment key={index}>
          {index > 0 && ', '}
          <q>{line}</q>
        </Fragment>
      ))}
    </>
  );
}
