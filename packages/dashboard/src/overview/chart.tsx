import { type Bucket, type DashboardResponse, describeDot } from 'early-access-server/admin-api';
import { Download } from 'lucide-react';
import { Fragment, lazy, Suspense, useRef, useState } from 'react';
import { formatBucket } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { saveFile, toCsv } from '../ui/csv.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { TableHead } from '../ui/table-head.tsx';
import ui from '../ui/ui.module.css';
import styles from './chart.module.css';
import { describeMeasure, MEASURES, type Measure } from './figures.ts';

const loadPlot = async () => ({ default: (await import('./plot-canvas.tsx')).PlotCanvas });
const PlotCanvas = lazy(loadPlot);

/**
 * Loads the charting library while the figures are requested. If loading fails, it is tried again when the chart is
 * shown.
 */
export function preloadPlot(): void {
  loadPlot().catch(() => {});
}

interface ChartProps extends Pick<DashboardResponse, 'buckets' | 'bucket' | 'end' | 'zone'> {
  readonly measure: Measure;
  readonly isFiltered: boolean;
}

const NAMES = { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' } as const;

/** A figure over time with the signups below it, as a chart or a table. */
export function Chart(props: ChartProps) {
  const [isTable, setTable] = useState(false);
  const { buckets, bucket, measure, isFiltered } = props;
  const { name } = describeMeasure(measure, isFiltered);
  const save = () => {
    const lines = buckets.map((row) => [
      new Date(row.start).toISOString(),
      ...MEASURES.map((each) => describeMeasure(each, isFiltered).read(row) ?? ''),
    ]);
    saveFile(`visitors-per-${bucket}.csv`, [toCsv(['start', ...MEASURES], lines)]);
  };
  return (
    <Card
      title={`${name}${measure === 'signups' ? '' : ' and signups'} per ${bucket}`}
      actions={
        <>
          <Button aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {isTable ? 'Show chart' : 'Show table'}
          </Button>
          <Button onClick={save}>
            <Download aria-hidden />
            CSV
          </Button>
        </>
      }
    >
      {isTable ? (
        <ChartTable {...props} />
      ) : (
        <ErrorBoundary title="The chart could not be shown">
          <Panels {...props} />
        </ErrorBoundary>
      )}
    </Card>
  );
}

/** Returns the index of the bucket that is still in progress; -1 if there is none. */
function findOpenIndex({ buckets, end }: ChartProps): number {
  const now = Date.now();
  return end > now ? buckets.findLastIndex(({ start }) => start <= now) : -1;
}

function nameBucket(row: Bucket, props: ChartProps): string {
  const name = formatBucket(row.start, props.bucket, props.zone, 'long');
  return row === props.buckets[findOpenIndex(props)] ? `${name}, so far` : name;
}

function ChartTable(props: ChartProps) {
  const { buckets, bucket, isFiltered } = props;
  const columns = MEASURES.map((measure) => ({ measure, ...describeMeasure(measure, isFiltered) }));
  const names = columns.map(({ name }) => name);
  return (
    <ScrollRegion label="Table of all figures" className={styles.tableBox}>
      <table className={`${ui.table} ${ui.cards}`}>
        <TableHead columns={[NAMES[bucket], ...names]} numbers={names} />
        <tbody>
          {buckets.toReversed().map((row) => (
            <tr key={row.start}>
              <th scope="row" className={ui.date}>
                {nameBucket(row, props)}
              </th>
              {columns.map(({ measure, name, read, format }) => (
                <td key={measure} className={ui.number} data-name={name}>
                  {format(read(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

interface Point {
  readonly index: number;
  readonly left: number;
}

function Panels(props: ChartProps) {
  const { buckets, bucket, zone, measure, isFiltered } = props;
  const box = useRef<HTMLDivElement>(null);
  const [point, setPoint] = useState<Point | null>(null);
  const [perDot, setPerDot] = useState(1);
  const labels = buckets.map(({ start }) => formatBucket(start, bucket, zone, 'short'));
  const now = Date.now();
  const openIndex = findOpenIndex(props);
  const shown = point && buckets[point.index];
  const own = describeMeasure(measure, isFiltered);
  const peak = buckets.toSorted((one, other) => (own.read(other) ?? 0) - (own.read(one) ?? 0))[0];
  const describe = (row: Bucket | undefined) =>
    row ? ` ${nameBucket(row, props)}: ${own.format(own.read(row))}.` : '';
  const summary = peak
    ? `Peak:${describe(peak)}${peak === buckets[openIndex] ? '' : describe(buckets[openIndex])} All figures are in the table.`
    : 'No data.';
  const panels = [
    { key: measure, ...own, kind: 'line', color: '--ead-link', height: 190 },
    {
      key: 'signups',
      ...describeMeasure('signups', isFiltered),
      name: 'Signups',
      kind: 'dots',
      color: '--ead-second',
      height: measure === 'signups' ? 240 : 168,
    },
  ] as const;
  const visible = measure === 'signups' ? panels.slice(1) : panels;
  return (
    <div className={styles.chart} ref={box} role="img" aria-label={`Chart of ${own.name.toLowerCase()}. ${summary}`}>
      {visible.map(({ key, name, read, format, formatAxis = format, ...look }, index) => (
        <div key={key} className={styles.panel}>
          <p className={styles.name}>
            <span className={styles[look.kind]} />
            {name}
            {look.kind === 'dots' && <span className={ui.muted}>{describeDot(perDot)}</span>}
          </p>
          {/* Reserves the height of the library's canvas. */}
          <Suspense key={key} fallback={<div style={{ height: look.height }} />}>
            <PlotCanvas
              {...look}
              labels={labels}
              unit={key}
              format={formatAxis}
              openIndex={openIndex}
              labelsOpen={index === 0}
              onPoint={setPoint}
              onScale={setPerDot}
              values={buckets.map((row) => (row.start > now ? null : read(row)))}
              showsLabels={index === visible.length - 1}
            />
          </Suspense>
        </div>
      ))}
      {shown && (
        <div className={styles.tip} style={chooseSide(point, box.current?.clientWidth ?? 0)}>
          <strong>{nameBucket(shown, props)}</strong>
          {visible.map(({ key, name, read, format, kind }) => (
            <Fragment key={key}>
              <span className={styles[kind]} />
              {name} <b>{format(read(shown))}</b>
            </Fragment>
          ))}
        </div>
      )}
    </div>
  );
}

/** Returns the side of the cursor with more space. */
function chooseSide({ left }: Point, width: number) {
  return left > width / 2 ? { right: width - left + 12 } : { left: left + 12 };
}
