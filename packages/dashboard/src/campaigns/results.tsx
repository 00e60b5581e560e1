import type { Campaign } from 'early-access-server/admin-api';
import { formatDateTime, formatNumber, formatPercent } from '../format/format.ts';
import { Card } from '../ui/card.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { TableHead } from '../ui/table-head.tsx';
import ui from '../ui/ui.module.css';
import styles from './campaigns.module.css';

const COLUMNS = ['Sent', 'Failed', 'Unsubscribed', 'Complained', 'Joined since'] as const;

interface ResultsProps {
  readonly campaigns: readonly Campaign[];
  readonly zone: string;
}

export function Results({ campaigns, zone }: ResultsProps) {
  const started = campaigns.filter(({ started_at }) => started_at !== null);
  if (started.length === 0) return null;
  return (
    <Card title="Results">
      <ScrollRegion label="Results of campaigns">
        <table className={`${ui.table} ${ui.cards}`}>
          <TableHead columns={['Email', ...COLUMNS]} numbers={COLUMNS} />
          <tbody>
            {started.map(({ id, subject, started_at, sent, failed, unsubscribed, complained, joined }) => (
              <tr key={id}>
                <th scope="row" className={styles.email}>
                  {subject || 'Without a subject'}
                  <span className={ui.hint}>{started_at !== null && formatDateTime(started_at, zone)}</span>
                </th>
                {[sent, failed, unsubscribed, complained, joined].map((count, index) => (
                  <td key={COLUMNS[index]} className={ui.number} data-name={COLUMNS[index]}>
                    {formatNumber(count)}
                    {index > 1 && count > 0 && sent > 0 && (
                      <span className={styles.share}>{formatPercent(count / sent)}</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p className={ui.hint}>
        Unsubscribed: through a link in the email. Complained: reported as spam, if your mail provider reports it.
        Erased people still count. There are no tracking pixels, so nobody knows who opened it.
      </p>
    </Card>
  );
}
