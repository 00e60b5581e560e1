import { MESSAGE_KINDS, type MessageKind, type UnsentMail } from 'early-access-server/admin-api';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { formatDateTime, formatNumber } from '../format/format.ts';
import { Breakable } from '../ui/breakable.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { MailBadge } from '../ui/mail-badge.tsx';
import { KIND_LABELS } from '../ui/message-kinds.ts';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { Empty, StateText } from '../ui/states.tsx';
import { TableHead } from '../ui/table-head.tsx';
import ui from '../ui/ui.module.css';
import styles from './mail.module.css';
import { UnknownDialog } from './unknown-dialog.tsx';

interface UnsentMessagesProps {
  readonly messages: readonly UnsentMail[];
  readonly kind: MessageKind | '';
  readonly zone: string;
  readonly onFilter: (kind: MessageKind | '') => void;
}

/** Unsent messages with the kind and the last error of each. */
export function UnsentMessages({ messages, kind, zone, onFilter }: UnsentMessagesProps) {
  const [asked, setAsked] = useState<UnsentMail | null>(null);
  if (messages.length === 0 && kind === '') {
    return (
      <Card title="Not sent">
        <Empty icon={MailCheck} title="Every email was sent">
          <StateText>
            Emails that are waiting, have failed or may not have arrived are listed here with the reason.
          </StateText>
        </Empty>
      </Card>
    );
  }
  return (
    <Card
      title="Not sent"
      actions={
        <>
          <label className={`${ui.field} ${styles.filter}`}>
            Kind
            <select
              className={ui.input}
              value={kind}
              onChange={({ target }) => onFilter(MESSAGE_KINDS.find((kind) => kind === target.value) ?? '')}
            >
              <option value="">Any kind</option>
              {MESSAGE_KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {KIND_LABELS[kind]}
                </option>
              ))}
            </select>
          </label>
          <Link to="?page=people&mail=failed" className={ui.button}>
            Show failed under People
          </Link>
        </>
      }
    >
      {messages.length === 0 ? (
        <Empty icon={MailCheck} title="No email of this kind is waiting or has failed" />
      ) : (
        <ScrollRegion label="Unsent messages" className={styles.messages}>
          <table className={ui.table}>
            <TableHead
              columns={['Address and last error', 'Kind', 'State', 'Attempts', 'Next attempt']}
              numbers={['Attempts']}
            />
            <tbody>
              {messages.map((message) => {
                const { id, email, kind, state, attempts, nextAttemptAt, reason } = message;
                return (
                  <tr key={id}>
                    <th scope="row">
                      <span className={ui.text}>
                        <Breakable>{email}</Breakable>
                      </span>
                      <span className={`${styles.reason} ${styles.kind}`}>{KIND_LABELS[kind]}</span>
                      {reason && <span className={styles.reason}>{reason}</span>}
                    </th>
                    <td>{KIND_LABELS[kind]}</td>
                    <td>
                      <MailBadge state={state} />
                      {state === 'unknown' && (
                        <Button
                          className={styles.decide}
                          aria-label={`Resolve delivery to ${email}…`}
                          onClick={() => setAsked(message)}
                        >
                          Resolve…
                        </Button>
                      )}
                    </td>
                    <td className={ui.number}>{formatNumber(attempts)}</td>
                    <td className={ui.date}>{state === 'queued' ? formatDateTime(nextAttemptAt, zone) : '–'}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {messages.length === 100 && (
        <p className={`${ui.text} ${ui.hint}`}>
          The first 100
          {kind === '' ? '. Choose a kind, or look at the last email of each person under People.' : ' of this kind.'}
        </p>
      )}
      {asked && <UnknownDialog message={asked} onClose={() => setAsked(null)} />}
    </Card>
  );
}
