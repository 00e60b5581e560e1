import { Tabs } from '@base-ui/react/tabs';
import { type BreakdownRow, type DashboardResponse, type Dimension, OTHER } from 'early-access-server/admin-api';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { formatCount, formatNumber, formatPercent } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { saveFile, toCsv } from '../ui/csv.ts';
import ui from '../ui/ui.module.css';
import styles from './breakdown.module.css';
import { nameDimension, valueName } from './dimensions.ts';
import { ratio } from './figures.ts';
import type { Filter } from './overview-state.ts';

const SHORT = 8;

interface BreakdownsProps {
  readonly title: string;
  readonly dimensions: readonly [Dimension, ...Dimension[]];
  readonly breakdowns: DashboardResponse['breakdowns'];
  readonly filter: readonly Filter[];
  readonly onPick: (filter: Filter) => void;
}

/** Tables of visitors and signups by dimension, one per tab. A row filters the whole page. */
export function Breakdowns({ title, dimensions, breakdowns, filter, onPick }: BreakdownsProps) {
  const [dimension, setDimension] = useState(dimensions[0]);
  const save = () => {
    const rows = breakdowns[dimension].map(({ value, visitors, signups, joined }) => [
      value,
      visitors,
      signups,
      joined,
    ]);
    saveFile(`${dimension}.csv`, [toCsv([dimension, 'daily_visitors', 'signups', 'joined'], rows)]);
  };
  const renderTable = (shown: Dimension) => (
    <Breakdown
      dimension={shown}
      rows={breakdowns[shown]}
      picked={filter.find((other) => other.dimension === shown)?.value}
      onPick={(value) => onPick({ dimension: shown, value })}
    />
  );
  return (
    <Card
      title={title}
      actions={
        <Button
          look="quiet"
          icon
          onClick={save}
          aria-label={`${nameDimension(dimension)} as CSV`}
          title="Download as CSV"
        >
          <Download aria-hidden />
        </Button>
      }
    >
      {dimensions.length === 1 ? (
        renderTable(dimension)
      ) : (
        <Tabs.Root value={dimension} onValueChange={setDimension}>
          <Tabs.List className={styles.tabs} aria-label={title}>
            {dimensions.map((name) => (
              <Tabs.Tab key={name} value={name} className={styles.tab}>
                {nameDimension(name)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {dimensions.map((name) => (
            <Tabs.Panel key={name} value={name}>
              {renderTable(name)}
            </Tabs.Panel>
          ))}
        </Tabs.Root>
      )}
    </Card>
  );
}

interface BreakdownProps {
  readonly dimension: Dimension;
  readonly rows: readonly BreakdownRow[];
  readonly picked: string | undefined;
  readonly onPick: (value: string) => void;
}

function Breakdown({ dimension, rows, picked, onPick }: BreakdownProps) {
  const [isLong, setLong] = useState(false);
  if (rows.length === 0) return <p className={styles.none}>Nothing in this period.</p>;
  const hasJoined = rows.some(({ joined }) => joined > 0);
  const most = Math.max(...rows.map(({ visitors }) => visitors), 1);
  return (
    <>
      <div className={`${ui.scroll} ${styles.box}`}>
        <table className={styles.table}>
          <caption className={ui.hidden}>
            {nameDimension(dimension)}: daily visitors, signups, conversion and who joined. Choose a row to filter
            everything by it.
          </caption>
          <thead>
            <tr>
              <th scope="col">{nameDimension(dimension)}</th>
              <th scope="col" className={styles.number}>
                <abbr title="Daily visitors: each counts once a day (UTC), by the first session of the day">
                  Daily vis.
                </abbr>
              </th>
              <th scope="col" className={styles.number}>
                Signups
              </th>
              <th scope="col" className={`${styles.number} ${styles.optional}`}>
                <abbr title="Conversion: signups per visitor">Conv.</abbr>
              </th>
              {hasJoined && (
                <th scope="col" className={`${styles.number} ${styles.optional}`}>
                  <abbr title="How many of these signups have joined so far">Joined</abbr>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, isLong ? rows.length : SHORT).map(({ value, visitors, signups, joined }) => (
              <tr key={value}>
                <th scope="row" className={styles.value}>
                  <button
                    type="button"
                    className={styles.pick}
                    aria-pressed={value === picked}
                    disabled={value === OTHER}
                    title={valueName(dimension, value)}
                    onClick={() => onPick(value)}
                  >
                    <span className={styles.bar} style={{ width: `${(100 * visitors) / most}%` }} />
                    <span className={styles.label}>{valueName(dimension, value)}</span>
                  </button>
                  {/* A phone has no room for the columns. */}
                  <span className={styles.rates}>
                    {formatPercent(ratio(signups, visitors))} signed up
                    {hasJoined && `, ${formatPercent(ratio(joined, signups))} joined`}
                  </span>
                </th>
                <td className={styles.number}>{formatNumber(visitors)}</td>
                <td className={styles.number}>{formatNumber(signups)}</td>
                <td className={`${styles.number} ${styles.optional}`}>{formatPercent(ratio(signups, visitors))}</td>
                {hasJoined && (
                  <td
                    className={`${styles.number} ${styles.optional}`}
                    title={`${formatNumber(joined)} of ${formatNumber(signups)}`}
                  >
                    {formatPercent(ratio(joined, signups))}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > SHORT && (
        <Button look="quiet" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
          {isLong ? 'Show fewer' : `Show ${formatCount(rows.length - SHORT, 'more', 'more')}`}
        </Button>
      )}
    </>
  );
}
