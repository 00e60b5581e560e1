import type { DashboardResponse } from 'early-access-server/admin-api';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import 'uplot/dist/uPlot.min.css';
import { formatBucket, formatCompact, formatNumber, formatPercent } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { saveFile, toCsv } from '../ui/csv.ts';
import ui from '../ui/ui.module.css';
import styles from './chart.module.css';
import { ratio } from './figures.ts';
import { type PlotOptions, plot } from './plot.ts';

interface ChartProps extends Pick<DashboardResponse, 'buckets' | 'bucket' | 'end' | 'zone'> {
  /** The name of the visitors, which says how they are counted. */
  readonly visitorsName: string;
}

const NAMES = { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' } as const;

/** Visitors and signups over time, as a chart or a table. */
export function Chart(props: ChartProps) {
  const [isTable, setTable] = useState(false);
  const { buckets, bucket, zone, visitorsName } = props;
  const rows = buckets.map(({ start, visitors, signups }) => ({
    name: formatBucket(start, bucket, zone, 'long'),
    visitors,
    signups,
  }));
  const save = () => {
    const lines = buckets.map(({ start, visitors, signups }) => [new Date(start).toISOString(), visitors, signups]);
    saveFile(`visitors-per-${bucket}.csv`, [toCsv(['start', 'visitors', 'signups'], lines)]);
  };
  return (
    <Card
      title={`${visitorsName} and signups per ${bucket}`}
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
      {isTable ? <ChartTable rows={rows} name={NAMES[bucket]} visitorsName={visitorsName} /> : <Panels {...props} />}
    </Card>
  );
}

interface ChartTableProps extends Pick<ChartProps, 'visitorsName'> {
  readonly name: string;
  readonly rows: readonly { readonly name: string; readonly visitors: number; readonly signups: number }[];
}

function ChartTable({ name, rows, visitorsName }: ChartTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={`${ui.scroll} ${styles.tableBox}`} tabIndex={0} aria-label="Table of visitors and signups">
      <table className={ui.table}>
        <thead>
          <tr>
            <th scope="col">{name}</th>
            <th scope="col" className={ui.number}>
              {visitorsName}
            </th>
            <th scope="col" className={ui.number}>
              Signups
            </th>
            <th scope="col" className={ui.number}>
              Conversion
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              <td className={ui.number}>{formatNumber(row.visitors)}</td>
              <td className={ui.number}>{formatNumber(row.signups)}</td>
              <td className={ui.number}>{formatPercent(ratio(row.signups, row.visitors))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface Point {
  readonly index: number;
  readonly left: number;
}

function Panels({ buckets, bucket, end, zone, visitorsName }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [point, setPoint] = useState<Point | null>(null);
  const labels = buckets.map(({ start }) => formatBucket(start, bucket, zone, 'short'));
  const now = Date.now();
  const values = (field: 'visitors' | 'signups') => buckets.map((row) => (row.start > now ? null : row[field]));
  const shown = point && buckets[point.index];
  const peak = buckets.toSorted((one, other) => other.visitors - one.visitors)[0];
  const summary = peak
    ? `The most visitors: ${formatNumber(peak.visitors)}, ${formatBucket(peak.start, bucket, zone, 'long')}. All figures are in the table.`
    : 'No data.';
  const shared = { labels, format: formatCompact, isLastOpen: end > now, onPoint: setPoint };
  return (
    <div className={styles.chart} ref={box} role="img" aria-label={`Chart of visitors and signups. ${summary}`}>
      <div className={styles.panel}>
        <p className={styles.name}>
          <span className={styles.swatch} />
          {visitorsName}
        </p>
        <Plot {...shared} kind="area" color="--ead-link" height={190} values={values('visitors')} showsLabels={false} />
      </div>
      <div className={styles.panel}>
        <p className={styles.name}>
          <span className={`${styles.swatch} ${styles.second}`} />
          Signups
        </p>
        <Plot {...shared} kind="bars" color="--ead-second" height={116} values={values('signups')} showsLabels />
      </div>
      {shown && (
        <div className={styles.tip} style={chooseSide(point, box.current?.clientWidth ?? 0)}>
          <strong>{formatBucket(shown.start, bucket, zone, 'long')}</strong>
          <span className={styles.swatch} />
          {visitorsName} <b>{formatNumber(shown.visitors)}</b>
          <span className={`${styles.swatch} ${styles.second}`} />
          Signups <b>{formatNumber(shown.signups)}</b>
        </div>
      )}
    </div>
  );
}

/** Beside the cursor, on the side with more room. */
function chooseSide({ left }: Point, width: number) {
  return left > width / 2 ? { right: width - left + 12 } : { left: left + 12 };
}

function Plot(options: PlotOptions) {
  const target = useRef<HTMLDivElement>(null);
  const { kind, color, height, showsLabels, isLastOpen, onPoint } = options;
  // The arrays are new at every rendering, so that their contents decide.
  const data = JSON.stringify([options.labels, options.values]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `data` stands for the labels and values, and `format` never changes
  useEffect(() => {
    const element = target.current;
    if (!element) return;
    const chart = plot(element, options);
    const size = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    size.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => chart.redraw();
    scheme.addEventListener('change', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      size.disconnect();
      chart.destroy();
      onPoint(null);
    };
  }, [data, kind, color, height, showsLabels, isLastOpen, onPoint]);
  return <div ref={target} />;
}
