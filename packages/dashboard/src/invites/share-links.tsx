import type { Credit, LinksResponse, ShareLink } from 'early-access-server/admin-api';
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { formatCount, formatNumber } from '../format/format.ts';
import { Breakable } from '../ui/breakable.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Count } from '../ui/count.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { Empty, QueryState, StateText } from '../ui/states.tsx';
import { TableHead } from '../ui/table-head.tsx';
import ui from '../ui/ui.module.css';
import styles from './invites.module.css';

const COUNTS = ['Signups', 'Confirmed', 'Counted'];

/** The share links with the most referrals, and referrals that wait for an admin's approval. */
export function ShareLinks({ zone }: { readonly zone: string }) {
  const query = useRead<LinksResponse>(['list', 'links'], '/links');
  return (
    <Card title="Share links">
      <QueryState query={query} bones={[10]} zone={zone}>
        {({ links }) =>
          links.length === 0 ? (
            <Empty icon={Share2} title="No referrals yet">
              <StateText>Once someone signs up through a person’s link, the link is listed here.</StateText>
            </Empty>
          ) : (
            <ScrollRegion label="Share links by signups">
              <table className={`${ui.table} ${ui.cards} ${styles.links}`}>
                <TableHead columns={['Person', ...COUNTS, 'Held']} numbers={COUNTS} />
                <tbody>
                  {links.map((link) => (
                    <LinkRow key={link.id} link={link} />
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
          )
        }
      </QueryState>
    </Card>
  );
}

function LinkRow({ link }: { readonly link: ShareLink }) {
  const { id, email, signups, confirmed, counted, held, rejected } = link;
  const decide = useDecision(link);
  return (
    <tr>
      <th scope="row">
        <Link to={`?page=people&person=${encodeURIComponent(id)}`} className={styles.person}>
          <Breakable>{email}</Breakable>
        </Link>
      </th>
      <td className={ui.number} data-name="Signups">
        {formatNumber(signups)}
      </td>
      <td className={ui.number} data-name="Confirmed">
        <Count count={confirmed} share={signups === 0 ? null : confirmed / signups} />
      </td>
      <td className={ui.number} data-name="Counted">
        {formatNumber(counted)}
        {rejected > 0 && <span className={`${ui.hint} ${styles.rejected}`}>{formatNumber(rejected)} rejected</span>}
      </td>
      <td data-name="Held">
        {held > 0 ? (
          <Held link={link} decide={decide} />
        ) : rejected > 0 ? (
          <div className={`${ui.row} ${styles.held}`}>
            <Button
              busy={decide.isPending}
              aria-label={`Undo rejection of ${email}`}
              onClick={() => decide.mutate('held')}
            >
              Undo rejection
            </Button>
          </div>
        ) : (
          <span className={ui.muted}>None</span>
        )}
      </td>
    </tr>
  );
}

const SAID: Readonly<Record<Credit, string>> = { counted: 'approved', rejected: 'rejected', held: 'held again' };

function useDecision({ id, email }: ShareLink) {
  return useAction(
    (api, credit: Credit) => api.post<{ people: number }>(`/links/${encodeURIComponent(id)}/decide`, { credit }),
    {
      refreshes: [['list'], ['people']],
      done: ({ people }, credit) => `${formatCount(people, 'referral', 'referrals')} ${SAID[credit]} for ${email}.`,
    },
  );
}

interface HeldProps {
  readonly link: ShareLink;
  readonly decide: ReturnType<typeof useDecision>;
}

/** A link had too many signups in an hour, so an admin decides whether they count as referrals. */
function Held({ link: { email, held }, decide }: HeldProps) {
  const [asksToReject, setAsking] = useState(false);
  return (
    <div className={`${ui.row} ${styles.held}`}>
      {formatNumber(held)}
      <Button
        busy={decide.isPending}
        aria-label={`Approve held referrals from ${email}`}
        onClick={() => decide.mutate('counted')}
      >
        Approve
      </Button>
      <Button
        busy={decide.isPending}
        aria-label={`Reject held referrals from ${email}`}
        onClick={() => setAsking(true)}
      >
        Reject…
      </Button>
      {asksToReject && (
        <ConfirmDialog
          title={`Reject ${formatCount(held, 'referral', 'referrals')}?`}
          action="Reject"
          busy={decide.isPending}
          onConfirm={() => decide.mutate('rejected', { onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          They stay on the list, but {email} gets no credit for referring them. You can undo this here.
        </ConfirmDialog>
      )}
    </div>
  );
}
