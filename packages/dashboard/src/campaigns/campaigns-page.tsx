import { useQuery } from '@tanstack/react-query';
import type { CampaignsResponse } from 'early-access-server/admin-api';
import { Plus, Send } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../api/admin-api.ts';
import { useNames } from '../segments/use-segments.ts';
import { type PageProps, usePageState } from '../shell/pages.ts';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/card.tsx';
import { Empty, Notice, QueryState, StateText } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { CampaignCard } from './campaign-card.tsx';
import { CampaignEditor, countUnsent } from './campaign-editor.tsx';
import { Results } from './results.tsx';

const BUSY_MS = 2_000;
const IDLE_MS = 15_000;

/** The id of the draft that is written, `new` for one that is not stored yet, or nothing. */
interface CampaignsState {
  readonly campaign: string;
}
const read = (params: URLSearchParams): CampaignsState => ({ campaign: params.get('campaign') ?? '' });
const write = ({ campaign }: CampaignsState) => new URLSearchParams(campaign === '' ? {} : { campaign });

/** Emails to many people. */
export function CampaignsPage({ session, zone }: PageProps) {
  const api = useApi();
  const names = useNames(session.fields);
  const [{ campaign }, setState] = usePageState('campaigns', read, write);
  /** The id under which the open editor has stored a new draft, and the editor's key, which does not change. */
  const [stored, setStored] = useState<{ readonly id: string; readonly editor: string } | null>(null);
  if (campaign === '' && stored !== null) setStored(null);
  const editor = campaign === stored?.id ? stored.editor : campaign;
  const open = (id: string, options?: { readonly replace: boolean }) => setState(() => ({ campaign: id }), options);
  const query = useQuery({
    queryKey: ['campaigns', 'list'],
    queryFn: ({ signal }) => api.get<CampaignsResponse>('/campaigns', undefined, signal),
    refetchInterval: ({ state }) =>
      state.data?.campaigns.some((campaign) => campaign.state === 'sending') ? BUSY_MS : IDLE_MS,
  });
  const compose = (
    <Button look="primary" onClick={() => open('new')}>
      <Plus aria-hidden />
      Write an email
    </Button>
  );
  return (
    <>
      <PageHead title="Campaigns" subtitle="Write to everyone on the list, or to a part of it">
        {campaign === '' && query.data && query.data.campaigns.length > 0 && compose}
      </PageHead>
      <div className={ui.stack}>
        <QueryState query={query} bones={[8, 8, 8]} zone={zone}>
          {(page) => {
            const { campaigns, can_send } = page;
            const draft = campaigns.find(({ id, state }) => id === campaign && state === 'draft');
            return (
              <>
                {!can_send && (
                  <Notice look="warning">
                    Emails are not sent: no mail server is set. Set SMTP_URL and restart the server.
                  </Notice>
                )}
                {draft || campaign === 'new' || campaign === stored?.id ? (
                  <CampaignEditor
                    key={editor}
                    draft={draft ?? null}
                    session={session}
                    zone={zone}
                    page={page}
                    onStored={(id) => {
                      setStored({ id, editor });
                      open(id, { replace: true });
                    }}
                    onClose={() => open('')}
                  />
                ) : campaigns.length === 0 ? (
                  <div className={ui.card}>
                    <Empty icon={Send} title="No campaigns yet">
                      <StateText>Write once, look at it, send a test to yourself, then send it to everyone.</StateText>
                      {compose}
                    </Empty>
                  </div>
                ) : (
                  <>
                    {campaigns.map((campaign) => (
                      <CampaignCard
                        key={campaign.id}
                        campaign={campaign}
                        campaigns={campaigns}
                        canSchedule={page.can_schedule}
                        sending={{
                          messages: countUnsent(campaigns),
                          quota: page.quota,
                          pausedUntil: page.paused_until,
                          zone,
                        }}
                        names={names}
                        onEdit={open}
                      />
                    ))}
                    <Results campaigns={campaigns} zone={zone} />
                  </>
                )}
              </>
            );
          }}
        </QueryState>
      </div>
    </>
  );
}
