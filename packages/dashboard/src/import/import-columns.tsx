import { type ColumnUse, DATE_ORDERS, type DateOrder, type ImportReport } from 'early-access-server/admin-api';
import { Card } from '../ui/card.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { TableHead } from '../ui/table-head.tsx';
import ui from '../ui/ui.module.css';
import styles from './import.module.css';
import type { ColumnChoices, Upload } from './use-import.ts';

const USE_LABELS: Readonly<Partial<Record<ColumnUse, string>>> = {
  email: 'Email',
  state: 'State',
  opt_in: 'Opted in (yes or no)',
  created_at: 'Signed up',
  confirmed_at: 'Confirmed',
  confirmed_by: 'Email that confirmed',
  unsubscribed_at: 'Unsubscribed',
  bounced_at: 'Bounced',
  invited_at: 'Invited',
  joined_at: 'Joined',
  source: 'Source',
  referrer: 'Referrer',
  session_id: 'Session',
  page_url: 'Page',
  consent_text: 'Consent text',
  consent_page: 'Consent page',
  mail_state: 'Last email state',
  language: 'Language',
  labels: 'Labels',
  other_fields: 'Other fields',
};

interface ImportColumnsProps extends Pick<Upload, 'dates'> {
  readonly report: Pick<ImportReport, 'columns' | 'uses' | 'asks_date_order'>;
  readonly choices: ColumnChoices;
  readonly disabled: boolean;
  readonly onChoose: (choices: Partial<Pick<Upload, 'columns' | 'dates'>>) => void;
}

/** Shows how each column of the file is imported, and lets the admin change it. */
export function ImportColumns({ report, choices, dates, disabled, onChoose }: ImportColumnsProps) {
  const { columns, uses, asks_date_order } = report;
  const ignored = columns.filter(({ use }) => use === null).map(({ name }) => name);
  return (
    <Card title="Columns">
      <div className={ui.stack}>
        {(asks_date_order || dates) && (
          <DateOrderSelect value={dates} disabled={disabled} onChoose={(order) => onChoose({ dates: order })} />
        )}
        <ScrollRegion label="Table of columns" className={styles.columns}>
          <table className={`${ui.table} ${ui.cards}`}>
            <TableHead columns={['In the file', 'Values', 'Imported as']} />
            <tbody>
              {columns.map(({ number, name, use, samples }) => {
                const chosen = choices.has(number) ? choices.get(number) : use;
                return (
                  <tr key={number}>
                    <th scope="row" className={styles.person}>
                      {name}
                    </th>
                    <td className={`${styles.samples} ${styles.wide}`} data-name="Values">
                      {samples.length === 0 ? <span className={ui.muted}>Empty</span> : samples.join(', ')}
                    </td>
                    <td className={`${styles.meaning} ${styles.wide}`} data-name="Imported as">
                      <select
                        className={ui.input}
                        aria-label={`${name}, imported as`}
                        value={chosen ?? ''}
                        disabled={disabled}
                        onChange={({ target }) => {
                          const found = uses.find((candidate) => candidate === target.value) ?? null;
                          onChoose({ columns: new Map(choices).set(number, found) });
                        }}
                      >
                        <option value="">Ignored</option>
                        {uses.map((candidate) => (
                          <option key={candidate} value={candidate}>
                            {USE_LABELS[candidate] ?? candidate.replace('fields.', '')}
                          </option>
                        ))}
                      </select>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </ScrollRegion>
        {ignored.length > 0 && <p className={`${ui.text} ${ui.hint}`}>{`Not imported: ${ignored.join(', ')}.`}</p>}
      </div>
    </Card>
  );
}

const ORDER_LABELS: Readonly<Record<DateOrder, string>> = {
  'day-first': '3 April 2026 (day first)',
  'month-first': 'March 4, 2026 (month first)',
};

interface DateOrderSelectProps {
  readonly value: DateOrder | null;
  readonly disabled: boolean;
  readonly onChoose: (order: DateOrder | null) => void;
}

/** Asks for the date format if the dates are ambiguous. */
function DateOrderSelect({ value, disabled, onChoose }: DateOrderSelectProps) {
  return (
    <label className={`${ui.field} ${styles.order}`}>
      What is the date 3/4/2026?
      <select
        className={ui.input}
        value={value ?? ''}
        disabled={disabled}
        onChange={({ target }) => onChoose(DATE_ORDERS.find((order) => order === target.value) ?? null)}
      >
        <option value="">Choose…</option>
        {DATE_ORDERS.map((order) => (
          <option key={order} value={order}>
            {ORDER_LABELS[order]}
          </option>
        ))}
      </select>
      <span className={ui.hint}>
        Some dates in this file are ambiguous. If you do not choose, their lines are skipped.
      </span>
    </label>
  );
}
