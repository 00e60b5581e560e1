import type { ListStatusResponse } from 'early-access-server/admin-api';
import { useState } from 'react';
import { useRead } from '../api/use-read.ts';
import { formatCount, formatDateTime, formatNumber } from '../format/format.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { QueryState } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import styles from './settings.module.css';
import { SignUpsDialog } from './sign-ups-dialog.tsx';
import { WaitingDialog } from './waiting-dialog.tsx';

const STATES = {
  open: 'Open',
  paused: 'Paused: nobody can sign up',
  closed: 'Closed: nobody can sign up',
  full: 'Full: nobody can sign up',
} as const;

/** The list's status, and the people who wait for it to open. */
export function SignUps({ zone }: { readonly zone: string }) {
  const query = useRead<ListStatusResponse>(['list-status'], '/list-status', { staleTime: 0 });
  const [shown, setShown] = useState<'change' | 'waiting' | null>(null);
  const close = () => setShown(null);
  return (
    <Card title="Signups">
      <QueryState query={query} bones={[6]} zone={zone}>
        {(data) => (
          <>
            <div className={styles.setting}>
              <div className={styles.text}>
                <span>{STATES[data.closed ?? 'open']}</span>
                {hint(data, zone)}
              </div>
              <Button onClick={() => setShown('change')} aria-label="Change signups">
                Change
              </Button>
            </div>
            {data.requests > 0 && (
              <div className={styles.setting}>
                <div className={styles.text}>
                  <span>{formatCount(data.requests, 'person is', 'people are')} waiting for the list to open</span>
                  <span className={ui.hint}>
                    They are not on it, and get no email until it opens. Then they are signed up in order and asked to
                    confirm.
                  </span>
                </div>
                <Button onClick={() => setShown('waiting')}>Show waiting people</Button>
              </div>
            )}
            {shown === 'change' && <SignUpsDialog status={data} zone={zone} onClose={close} />}
            {shown === 'waiting' && <WaitingDialog total={data.requests} zone={zone} onClose={close} />}
          </>
        )}
      </QueryState>
    </Card>
  );
}

function hint(data: ListStatusResponse, zone: string) {
  const text = describe(data, zone);
  return text !== '' && <span className={ui.hint}>{text}</span>;
}

function describe({ status, closed, people }: ListStatusResponse, zone: string): string {
  const { closes_at, max_people } = status;
  const places =
    max_people !== null &&
    (people === null
      ? `It has ${formatCount(max_people, 'place', 'places')}.`
      : `${formatNumber(people)} of ${formatCount(max_people, 'place is', 'places are')} taken.`);
  const isOver = closed === 'closed' && status.mode === 'open';
  const time = closes_at !== null && `It ${isOver ? 'closed' : 'closes'} at ${formatDateTime(closes_at, zone)}.`;
  return [time, places].filter(Boolean).join(' ') || (closed === null ? 'No closing time and no limit.' : '');
}
