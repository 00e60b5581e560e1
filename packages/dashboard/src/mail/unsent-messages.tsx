import type { UnsentMail } from 'early-access-server/admin-api';
import { MailCheck } from 'lucide-react';
import { Link } from 'wouter';
import { formatDateTime, formatNumber } from '../format/format.ts';
import { Card } from '../ui/card.tsx';
import { MailBadge } from '../ui/mail-badge.tsx';
import { Empty, StateText } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import styles from './mail.module.css';

/** Messages that are not sent, with the last error of each. */
export function UnsentMessages({
  messages,
  zone,
}: {
  readonly messages: readonly UnsentMail[];
  readonly zone: string;
}) {
  if (messages.length === 0) {
    return (
      <Card title="Not sent">
        <Empty icon={MailCheck} title="Every email was sent">
          <StateText>Emails that wait, failed or may not have arrived are listed here with the reason.</StateText>
        </Empty>
      </Card>
    );
  }
  return (
    <Card
      title="Not sent"
      actions={
        <Link to="?page=people&mail=failed" className={ui.button}>
          Failed ones under People
        </Link>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={`${ui.scroll} ${styles.messages}`} tabIndex={0} aria-label="Messages that are not sent">
        <table className={ui.table}>
          <thead>
            <tr>
              <th scope="col">Address and last error</th>
              <th scope="col">State</th>
              <th scope="col" className={ui.number}>
                Attempts
              </th>
              <th scope="col">Next attempt</th>
            </tr>
          </thead>
          <tbody>
            {messages.map(({ email, state, attempts, nextAttemptAt, reason }) => (
              <tr key={email}>
                <th scope="row">
                  <span className={ui.text}>{email}</span>
                  {reason && <span className={styles.reason}>{reason}</span>}
                </th>
                <td>
                  <MailBadge state={state} />
                </td>
                <td className={ui.number}>{formatNumber(attempts)}</td>
                <td className={ui.date}>{state === 'queued' ? formatDateTime(nextAttemptAt, zone) : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {messages.length === 100 && (
        <p className={`${ui.text} ${ui.hint}`}>The first 100. The others are listed under People.</p>
      )}
    </Card>
  );
}
