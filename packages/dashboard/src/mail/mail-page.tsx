import { keepPreviousData, useMutation } from '@tanstack/react-query';
import {
  type MailResponse,
  MESSAGE_KINDS,
  type MessageKind,
  type TestMailResponse,
} from 'early-access-server/admin-api';
import { CircleAlert, MailCheck, MailX } from 'lucide-react';
import { useApi } from '../api/admin-api.ts';
import { useRead } from '../api/use-read.ts';
import { formatNumber } from '../format/format.ts';
import { type PageProps, usePageState } from '../shell/pages.ts';
import { Button } from '../ui/button.tsx';
import { Card, PageHead } from '../ui/card.tsx';
import { MailBadge } from '../ui/mail-badge.tsx';
import { THEN_RESTART } from '../ui/setting-texts.ts';
import { Announced, Notice, QueryState } from '../ui/states.tsx';
import { Tiles } from '../ui/tiles.tsx';
import ui from '../ui/ui.module.css';
import styles from './mail.module.css';
import { ComplaintNotice, PauseNotice, Queue, TroubleNotice } from './queue.tsx';
import { UnsentMessages } from './unsent-messages.tsx';

const REFRESH_MS = 15_000;
const STATES = ['sent', 'queued', 'sending', 'failed', 'unknown'] as const;

/** The kind of the listed messages, stored in the URL. Empty: all kinds. */
interface MailPageState {
  readonly kind: MessageKind | '';
}
const read = (params: URLSearchParams): MailPageState => ({
  kind: MESSAGE_KINDS.find((kind) => kind === params.get('kind')) ?? '',
});
const write = ({ kind }: MailPageState) => new URLSearchParams(kind === '' ? {} : { kind });

export function MailPage({ session, zone }: PageProps) {
  const [{ kind }, setState] = usePageState('mail', read, write);
  const query = useRead<MailResponse>(['mail', kind], '/mail', {
    query: write({ kind }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageHead title="Mail" subtitle="Every email to your list and to admins, with its outcome" />
      <div className={ui.stack}>
        <QueryState query={query} bones={[5, 14, 20]} zone={zone}>
          {(mail) => (
            <>
              {mail.transport === null && (
                <Notice look="warning">Emails are not sent: no mail server is set. Set SMTP_URL. {THEN_RESTART}</Notice>
              )}
              {mail.transport === 'files' && (
                <Notice look="warning">
                  Emails are written to files and reach nobody, because no mail server is set. Set SMTP_URL to send
                  them.
                </Notice>
              )}
              <PauseNotice mail={mail} zone={zone} />
              <TroubleNotice mail={mail} zone={zone} />
              <ComplaintNotice mail={mail} zone={zone} />
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
              <UnsentMessages
                messages={mail.unsent}
                kind={kind}
                zone={zone}
                onFilter={(kind) => setState(() => ({ kind }), { replace: true })}
              />
            </>
          )}
        </QueryState>
      </div>
    </>
  );
}

const RESULTS = {
  sent: { icon: MailCheck, title: 'Sent.' },
  refused: { icon: MailX, title: 'Not sent.' },
  unknown: { icon: CircleAlert, title: 'Delivery unknown.' },
} as const;

function TestMail({ email, canSend }: { readonly email: string; readonly canSend: boolean }) {
  const api = useApi();
  const test = useMutation({ mutationFn: () => api.post<TestMailResponse>('/mail/test') });
  const result = test.data && RESULTS[test.data.outcome];
  return (
    <Card title="Test delivery">
      <div className={ui.stack}>
        <p className={ui.text}>
          Sends one email to <b>{email}</b> and shows what the mail server says.
        </p>
        <div>
          <Button look="primary" busy={test.isPending} disabled={!canSend} onClick={() => test.mutate()}>
            {test.isPending ? 'Sending…' : 'Send me a test email'}
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
