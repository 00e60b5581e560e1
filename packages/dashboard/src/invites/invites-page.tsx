import { type ListResponse, PERSON_STATES } from 'early-access-server/admin-api';
import { Ticket } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../api/use-read.ts';
import { formatNumber } from '../format/format.ts';
import type { PageProps } from '../shell/pages.ts';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/card.tsx';
import { StateBadge } from '../ui/state-badge.tsx';
import { QueryState } from '../ui/states.tsx';
import { Tiles } from '../ui/tiles.tsx';
import ui from '../ui/ui.module.css';
import { InviteDialog } from './invite-dialog.tsx';
import { NotSetUp } from './not-set-up.tsx';
import { ShareLinks } from './share-links.tsx';
import { Waves } from './waves.tsx';

/** Polling intervals: mail queue busy, mail queue empty. */
const REFRESH_MS = { busy: 5_000, idle: 30_000 };

export function InvitesPage({ zone }: PageProps) {
  const [isInviting, setInviting] = useState(false);
  const query = useRead<ListResponse>(['list', 'waves'], '/list', {
    refetchInterval: ({ state }) =>
      state.data?.waves.some(({ queued }) => queued > 0) ? REFRESH_MS.busy : REFRESH_MS.idle,
  });
  return (
    <>
      <PageHead title="Invites" subtitle="Let people in, one wave at a time">
        <div className={ui.row}>
          <Button look="primary" onClick={() => setInviting(true)}>
            <Ticket aria-hidden />
            Invite people…
          </Button>
        </div>
      </PageHead>
      <div className={ui.stack}>
        <QueryState query={query} bones={[5, 20]} zone={zone}>
          {({ counts, waves, can_invite, shares }) => (
            <>
              {!can_invite && <NotSetUp />}
              <Tiles
                tiles={PERSON_STATES.map((state) => ({
                  key: state,
                  name: <StateBadge state={state} />,
                  value: formatNumber(counts[state]),
                }))}
              />
              <Waves waves={waves} zone={zone} />
              {shares && <ShareLinks zone={zone} />}
            </>
          )}
        </QueryState>
      </div>
      {isInviting && <InviteDialog who={{ filter: {} }} zone={zone} onClose={() => setInviting(false)} />}
    </>
  );
}
