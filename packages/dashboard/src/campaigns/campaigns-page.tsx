import type { CampaignsResponse } from 'early-access-server/admin-api';
import { mayEdit } from 'early-access-server/admin-pages';
import { Plus, Send } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useRead } from '../api/use-read.ts';
import { useNames } from '../segments/use-segments.ts';
import { type PageProps, usePageState } from '../shell/pages.ts';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/card.tsx';
import { THEN_RESTART } from '../ui/setting-texts.ts';
import { Empty, Loading, Notice, QueryState, StateText } from '../ui/states.tsx';
import ui from '../ui/ui.module.css';
import { CampaignCard } from './campaign-card.tsx';
import { CampaignEditor, countUnsent } from './campaign-editor.tsx';
import { Results } from './results.tsx';
import { SentCampaign } from './sent-campaign.tsx';
import { subjectText } from './subject-text.ts';

const SeriesCard = lazy(async () => ({ default: (await import('./series-card.tsx')).SeriesCard }));

const BUSY_MS = 2_000;
const IDLE_MS = 15_000;

/** The id of the open campaign; `new` for a draft that is not stored yet, empty if none is open. */
interface CampaignsState {
  readonly campaign: string;
}
const read = (params: URLSearchParams): CampaignsState => ({ campaign: params.get('campaign') ?? '' });
const write = ({ campaign }: CampaignsState) => new URLSearchParams(campaign === '' ? {} : { campaign });

export function CampaignsPage({ session, zone }: PageProps) {
  const names = useNames(session.fields);
  const [{ campaign }, setState] = usePageState('campaigns', read, write);
  /** The id under which the open editor has stored a new draft, and the editor's React key, which stays the same. */
  const [stored, setStored] = useState<{ readonly id: string; readonly editor: string } | null>(null);
  if (campaign === '' && stored !== null) setStored(null);
  const editor = campaign === stored?.id ? stored.editor : campaign;
  const show = (id: string, options?: { readonly replace: boolean }) => setState(() => ({ campaign: id }), options);
  const query = useRead<CampaignsResponse>(['campaigns', 'list'], '/campaigns', {
    refetchInterval: ({ state }) =>
      state.data?.campaigns.some(({ state, series }) => state === 'sending' && series === null) ? BUSY_MS : IDLE_MS,
  });
  const compose = (
    <Button look="primary" onClick={() => show('new')}>
      <Plus aria-hidden />
      Create campaign
    </Button>
  );
  return (
    <>
      <PageHead title="Campaigns" subtitle="Email everyone on the list, or a segment of it">
        {campaign === '' && query.data && query.data.campaigns.some(({ series }) => series === null) && compose}
      </PageHead>
      <div className={ui.stack}>
        <QueryState query={query} bones={[8, 8, 8]} zone={zone}>
          {(list) => {
            const campaigns = list.campaigns.map((each) => ({
              ...each,
              subject: subjectText(each.subject, session.fields),
            }));
            const page = { ...list, campaigns };
            const { can_send } = page;
            const open = campaigns.find(({ id }) => id === campaign);
            // From the list, because it has the subject as it was written.
            const draft = list.campaigns.find((each) => each.id === campaign && mayEdit(each));
            const others = campaigns.filter(({ series }) => series === null);
            return (
              <>
                {!can_send && (
                  <Notice look="warning">
                    Emails are not sent: no mail server is set. Set SMTP_URL. {THEN_RESTART}
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
                      show(id, { replace: true });
                    }}
                    onClose={() => show('')}
                  />
                ) : open ? (
                  <SentCampaign
                    campaign={open}
                    campaigns={campaigns}
                    names={names}
                    session={session}
                    zone={zone}
                    onDuplicated={show}
                    onClose={() => show('')}
                  />
                ) : (
                  <>
                    {others.length === 0 && (
                      <div className={ui.card}>
                        <Empty icon={Send} title="No campaigns yet">
                          <StateText>
                            Write an email, preview it, send yourself a test, then send it to your list.
                          </StateText>
                          {compose}
                        </Empty>
                      </div>
                    )}
                    {others.map((campaign) => (
                      <CampaignCard
                        key={campaign.id}
                        campaign={campaign}
                        campaigns={campaigns}
                        sending={{
                          messages: countUnsent(campaigns),
                          quota: page.quota,
                          pausedUntil: page.paused_until,
                          zone,
                        }}
                        names={names}
                        onOpen={show}
                      />
                    ))}
                    <Suspense fallback={<Loading bones={[8]} />}>
                      <SeriesCard campaigns={campaigns} canSend={can_send} zone={zone} onOpen={show} />
                    </Suspense>
                    <Results campaigns={others} zone={zone} />
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
