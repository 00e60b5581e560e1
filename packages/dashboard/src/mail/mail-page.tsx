import { useMutation, useQuery } from '@tanstack/react-query';
import type { MailResponse, TestMailResponse } from 'early-access-server/admin-api';
import { CircleAlert, MailCheck, MailX } from 'lucide-react';
import { useApi } from '../api/admin-api.ts';
import { formatDateTime, formatNumber } from '../format/format.ts';
import type { PageProps } from '../shell/pages.ts';
import { Button } from '../ui/button.tsx';
import { Card, Facts, PageHead } from '../ui/card.tsx';
import { MailBadge } from '../ui/mail-badge.tsx';
import { Announced, Notice, QueryState } from '../ui/states.tsx';
import { Tiles } from '../ui/tiles.tsx';
import ui from '../ui/ui.module.css';
import styles from './mail.module.css';
import { UnsentMessages } from './unsent-messages.tsx';

const REFRESH_MS = 15_000;
const STATES = ['sent', 'queued', 'sending', 'failed', 'unknown'] as const;

export function MailPage({ session, zone }: PageProps) {
  const api = useApi();
  const query = useQuery({
    queryKey: ['mail'],
    queryFn: ({ signal }) => api.get<MailResponse>('/mail', undefined, signal),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageHead title="Mail" subtitle="Welcome emails and what became of them" />
      <div className={ui.stack}>
        <QueryState query={query} bones={[5, 14, 20]} zone={zone}>
          {(mail) => (
            <>
              {mail.transport === null && (
                <Notice look="warning">
                  Emails are not sent: no mail server is set. Set SMTP_URL and restart the server.
                </Notice>
              )}
              {mail.transport === 'files' && (
                <Notice look="warning">
                  Emails are written to files and reach nobody, because no mail server is set. Set SMTP_URL to send
                  them.
                </Notice>
              )}
              <Tiles
                tiles={STATES.map((state) => ({
                  key: state,
                  name: <MailBadge state={state} />,
                  value: formatNumber(mail.counts[state]),
                }))}
              />
              <div className={styles.grid}>
                <Queue mail={mail} zone={zone} />
                <TestMail email={session.email} canSend={mail.transport !== null} />
              </div>
              <UnsentMessages messages={mail.unsent} zone={zone} />
            </>
          )}
        </QueryState>
      </div>
    </>
  );
}

function Queue({ mail, zone }: { readonly mail: MailResponse; readonly zone: string }) {
  const { counts, quota, next_due_at } = mail;
  return (
    <Card title="Queue">
      <Facts
        facts={[
          ['Waiting', formatNumber(counts.queued + counts.sending)],
          ['Next attempt', next_due_at === null ? 'Nothing waits' : formatDateTime(next_due_at, zone)],
          ['Quota', `${formatNumber(quota.per_hour)} per hour`],
          [
            'This hour',
            quota.spent_until === null
              ? 'Not used up'
              : `Used up. The next hour begins ${formatDateTime(quota.spent_until, zone)}`,
          ],
        ]}
      />
    </Card>
  );
}

const RESULTS = {
  sent: { icon: MailCheck, title: 'Sent.' },
  refused: { icon: MailX, title: 'The mail server refused it.' },
  unknown: { icon: CircleAlert, title: 'It is not known whether it was sent.' },
} as const;

function TestMail({ email, canSend }: { readonly email: string; readonly canSend: boolean }) {
  const api = useApi();
  const test = useMutation({ mutationFn: () => api.post<TestMailResponse>('/mail/test') });
  const result = test.data && RESULTS[test.data.outcome];
  return (
    <Card title="Test the delivery">
      <div className={ui.stack}>
        <p className={ui.text}>
          Sends one email to <b>{email}</b> and shows what the mail server says.
        </p>
        <div>
          <Button look="primary" busy={test.isPending} disabled={!canSend} onClick={() => test.mutate()}>
            {test.isPending ? 'Sending…' : 'Send a test mail to me'}
          </Button>
        </div>
        <Announced>
          {result && test.data && (
            <Notice icon={result.icon} {...(test.data.outcome === 'sent' ? {} : { look: 'warning' })}>
              <b>{result.title}</b> {test.data.explanation}
            </Notice>
          )}
          {test.error && <Notice look="warning">{test.error.message}</Notice>}
        </Announced>
      </div>
    </Card>
  );
}
