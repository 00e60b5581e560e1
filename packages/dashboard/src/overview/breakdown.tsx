import {
  type BreakdownRow,
  type DashboardResponse,
  type Dimension,
  OTHER,
  type PageRow,
} from 'early-access-server/admin-api';
import { Download } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { formatCount, formatNumber, formatPercent } from '../format/format.ts';
import { Breakable } from '../ui/breakable.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { saveFile, toCsv } from '../ui/csv.ts';
import ui from '../ui/ui.module.css';
import styles from './breakdown.module.css';
import { type Listed, nameDimension, valueName } from './dimensions.ts';
import { conversion, ratio } from './figures.ts';
import type { Filter } from './overview-state.ts';

const SHORT = 8;

interface BreakdownsProps {
  readonly title: string;
  readonly dimensions: readonly [Dimension, ...Dimension[]];
  /** Pages with their views, shown first. */
  readonly pages?: readonly PageRow[];
  readonly breakdowns: DashboardResponse['breakdowns'];
  readonly filter: readonly Filter[];
  readonly onPick: (filter: Filter) => void;
}

/** Tables of visitors and signups by dimension, one at a time. Clicking a row filters the whole page. */
export function Breakdowns({ title, dimensions, pages, breakdowns, filter, onPick }: BreakdownsProps) {
  const group = useId();
  const choices: readonly Listed[] = pages === undefined ? dimensions : ['page_path', ...dimensions];
  const [chosen, setChosen] = useState<Listed>('page_path');
  const listed = choices.includes(chosen) ? chosen : dimensions[0];
  const save = () => {
    const csv =
      listed === 'page_path'
        ? toCsv(
            [listed, 'views'],
            (pages ?? []).map(({ value, views }) => [value, views]),
          )
        : toCsv(
            [listed, 'daily_visitors', 'signups', 'joined'],
            breakdowns[listed].map(({ value, visitors, signups, joined }) => [value, visitors, signups, joined]),
          );
    saveFile(`${listed}.csv`, [csv]);
  };
  const renderTable = (shown: Listed) =>
    shown === 'page_path' ? (
      <Pages rows={pages ?? []} />
    ) : (
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
        <Button look="quiet" icon onClick={save} aria-label={`${nameDimension(listed)} as CSV`} title="Download as CSV">
          <Download aria-hidden />
        </Button>
      }
    >
      {choices.length === 1 ? (
        renderTable(listed)
      ) : (
        <>
          <fieldset className={styles.choices} aria-label={title}>
            {choices.map((name) => (
              <label key={name} className={styles.choice}>
                <input
                  type="radio"
                  name={group}
                  className={ui.hidden}
                  checked={name === listed}
                  onChange={() => setChosen(name)}
                />
                {nameDimension(name)}
              </label>
            ))}
          </fieldset>
          {renderTable(listed)}
        </>
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

/** The table of pages. Its rows are no filters: filters apply to sessions, and a session has several pages. */
function Pages({ rows }: { readonly rows: readonly PageRow[] }) {
  const [shown, button] = useShortened(rows);
  if (rows.length === 0) return <p className={styles.none}>Nothing in this period.</p>;
  const most = Math.max(...rows.map(({ views }) => views), 1);
  return (
    <>
      <div className={`${ui.scroll} ${styles.box}`}>
        <table className={styles.table}>
          <caption className={ui.hidden}>Top pages: views.</caption>
          <thead>
            <tr>
              <th scope="col">Page</th>
              <th scope="col" className={styles.number}>
                Views
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ value, views }) => (
              <tr key={value}>
                <th scope="row" className={styles.value}>
                  <span className={styles.page}>
                    <span className={styles.bar} style={{ width: `${(100 * views) / most}%` }} />
                    <span className={styles.label}>
                      <Breakable>{valueName('page_path', value)}</Breakable>
                    </span>
                  </span>
                </th>
                <td className={styles.number}>{formatNumber(views)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {button}
    </>
  );
}

/** Returns the first rows, and a button that shows the rest. */
function useShortened<Row>(rows: readonly Row[]): readonly [shown: readonly Row[], button: ReactNode] {
  const [isLong, setLong] = useState(false);
  const button = rows.length > SHORT && (
    <Button look="quiet" className={styles.more} aria-expanded={isLong} onClick={() => setLong(!isLong)}>
      {isLong ? 'Show fewer' : `Show ${formatCount(rows.length - SHORT, 'more', 'more')}`}
    </Button>
  );
  return [isLong ? rows : rows.slice(0, SHORT), button];
}

function Breakdown({ dimension, rows, picked, onPick }: BreakdownProps) {
  const [shownRows, button] = useShortened(rows);
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
                <abbr title="Conversion: new signups per daily visitor">Conv.</abbr>
              </th>
              {hasJoined && (
                <th scope="col" className={`${styles.number} ${styles.optional}`}>
                  <abbr title="How many of these signups have joined so far">Joined</abbr>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {shownRows.map(({ value, visitors, signups, joined }) => (
              <tr key={value}>
                <th scope="row" className={styles.value}>
                  <button
                    type="button"
                    className={styles.pick}
                    aria-pressed={value === picked}
                    disabled={value === OTHER}
                    onClick={() => onPick(value)}
                  >
                    <span className={styles.bar} style={{ width: `${(100 * visitors) / most}%` }} />
                    <span className={styles.label}>
                      <Breakable>{valueName(dimension, value)}</Breakable>
                    </span>
                  </button>
                  {/* Replaces the columns on a phone. */}
                  <span className={styles.rates}>
                    {formatPercent(conversion({ signups, visitors }))} signed up
                    {hasJoined && `, ${formatPercent(ratio(joined, signups))} joined`}
                  </span>
                </th>
                <td className={styles.number}>{formatNumber(visitors)}</td>
                <td className={styles.number}>{formatNumber(signups)}</td>
                <td className={`${styles.number} ${styles.optional}`}>
                  {formatPercent(conversion({ signups, visitors }))}
                </td>
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
      {button}
    </>
  );
}
