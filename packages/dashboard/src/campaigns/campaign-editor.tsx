import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  AudienceSizeResponse,
  Campaign,
  CampaignContent,
  CampaignsResponse,
  ScheduledTimeResponse,
  SessionResponse,
  TestMailResponse,
} from 'early-access-server/admin-api';
import { CAMPAIGN_AUDIENCE, describeTiming, mayEdit } from 'early-access-server/admin-pages';
import { useRef, useState } from 'react';
import { ApiError, useApi } from '../api/admin-api.ts';
import { useAction } from '../api/use-action.ts';
import { formatCount, upperFirst, withFullStop } from '../format/format.ts';
import { useMay } from '../shell/role.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useNotify } from '../ui/toasts.tsx';
import ui from '../ui/ui.module.css';
import { AudienceFields, AudienceWarning } from './audience.tsx';
import { CampaignPreview, useCampaignCheck } from './campaign-preview.tsx';
import type { DraftEditor, DraftState } from './draft-editor.ts';
import { EditorLayout } from './editor-layout.tsx';
import { findRecipients } from './schedule-text.ts';
import { FollowUpDialog, SendDialog } from './send-dialog.tsx';
import { SlowSending, sendingTimeText } from './sending-time.tsx';
import { subjectText } from './subject-text.ts';
import { TextFields } from './text-fields.tsx';
import { TimingDialog } from './timing-dialog.tsx';
import { useDraft } from './use-draft.ts';

const EMPTY: CampaignContent = { subject: '', body: '', audience: { states: CAMPAIGN_AUDIENCE, source: null } };

interface CampaignEditorProps {
  /** Null: a new campaign. */
  readonly draft: Campaign | null;
  readonly session: SessionResponse;
  readonly zone: string;
  readonly page: CampaignsResponse;
  /** Called with the id of a new campaign once it is stored. */
  readonly onStored: (id: string) => void;
  readonly onClose: () => void;
}

export function CampaignEditor({ draft, session, zone, page, onStored, onClose }: CampaignEditorProps) {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const may = useMay();
  const [asked, setAsked] = useState<'send' | 'days' | 'timing' | null>(null);
  const { state, editor } = useDraft(draft, EMPTY, onStored);
  const { id, revision, content } = state;
  const { subject, body, audience } = content;
  const text = id !== null && revision !== null ? { id, revision } : null;
  const check = useCampaignCheck(text);
  const audienceSize = useQuery({
    queryKey: ['campaigns', 'audience', audience],
    queryFn: () => api.post<AudienceSizeResponse>('/campaigns/audience', audience),
  });
  const people = audienceSize.data?.people ?? 0;
  const isPartial = audienceSize.data?.is_partial ?? false;
  const canSend = page.can_send && !state.isConflict && !check.data?.problem;
  const recipients = draft && findRecipients(draft, page.campaigns);
  const timing = draft?.series ?? null;
  const reachesSomeone = people > 0 || isPartial || recipients !== null;
  const isComplete = subject.trim() !== '' && body.trim() !== '' && reachesSomeone;
  const sending = { messages: people + countUnsent(page.campaigns), quota: page.quota, zone };
  const timeText = sendingTimeText(sending);

  const test = useMutation({
    async mutationFn() {
      const { id, revision } = await editor.save();
      return api.post<TestMailResponse>(`/campaigns/${id}/test`, { revision });
    },
    onSuccess: ({ outcome, explanation }) =>
      outcome === 'sent'
        ? notify.done(`Sent to ${session.email}. ${explanation}`)
        : notify.failed(new Error(explanation)),
    onError: notify.failed,
  });
  // If the text cannot be saved, the editor stays open and shows why.
  const close = useMutation({
    mutationFn: async () => editor.isUnsaved && editor.save(),
    onSuccess: onClose,
  });
  /** False once the admin has closed the dialog while the text was still being saved. */
  const isSending = useRef(false);
  const start = useMutation({
    async mutationFn(at: string | null) {
      isSending.current = true;
      const { id, revision } = await editor.save();
      if (!isSending.current) throw new DOMException('The admin closed the question', 'AbortError');
      if (at === null && recipients === null) {
        await api.post(`/campaigns/${id}/state`, { to: 'sending', revision });
        return null;
      }
      return api.post<ScheduledTimeResponse>(`/campaigns/${id}/schedule`, { at, zone, revision });
    },
    onSuccess: async (scheduled) => {
      notify.done(scheduled ? (scheduled.note ?? 'Campaign scheduled.') : 'Sending started.');
      await client.invalidateQueries({ queryKey: ['campaigns', 'list'] });
      onClose();
    },
    onError(error) {
      if (error.name === 'AbortError') return undefined;
      // The dialog shows the error, for example for a local time that does not exist.
      if (error instanceof ApiError && error.kind === 'invalid') return undefined;
      setAsked(null);
      notify.failed(error);
      return client.invalidateQueries({ queryKey: ['campaigns', 'list'] });
    },
  });
  const changeDays = useAction(
    (api, after_days: number) => api.post(`/campaigns/${draft?.follows}/follow-up`, { after_days }),
    { refreshes: [['campaigns', 'list']], onDone: () => setAsked(null), showsError: true },
  );

  return (
    <EditorLayout preview={<CampaignPreview text={text} hasFields={session.fields.length > 0} />}>
      <Card
        title={draft ? (timing === null ? 'Draft' : 'Email after signing up') : 'New campaign'}
        actions={
          <span role="status" className={ui.hint}>
            {state.isSaving ? 'Saving…' : id !== null && !editor.isUnsaved && 'Saved'}
          </span>
        }
      >
        <div className={ui.stack}>
          <SaveProblem state={state} editor={editor} onClose={onClose} />
          <TextFields content={content} fields={session.fields} onChange={(part) => editor.change(part)} />
          {recipients !== null ? (
            <p className={`${ui.text} ${ui.row}`}>
              <span>{`It goes to ${recipients}.`}</span>
              <Button onClick={() => setAsked('days')}>Change days…</Button>
            </p>
          ) : (
            <>
              <AudienceFields
                audience={audience}
                fields={session.fields}
                zone={zone}
                onChange={(changed) => editor.change({ audience: changed })}
              />
              {timing !== null ? (
                <p className={`${ui.text} ${ui.row}`}>
                  <span>{`People in this audience get it ${describeTiming(timing, page.campaigns)}.`}</span>
                  <Button onClick={() => setAsked('timing')}>Change timing…</Button>
                </p>
              ) : (
                <>
                  <p role="status" className={ui.text}>
                    {audienceSize.error
                      ? audienceSize.error.message
                      : audienceSize.data
                        ? `It goes to ${isPartial ? 'at least ' : ''}${formatCount(people, 'person', 'people')}${people > 0 ? `, ${timeText}` : ''}.`
                        : 'Counting…'}
                  </p>
                  {audienceSize.data && <AudienceWarning audience={audience} size={audienceSize.data} />}
                  {people > 0 && <SlowSending {...sending} />}
                </>
              )}
            </>
          )}
          <div className={ui.row}>
            {may() ? (
              <>
                {timing === null && (
                  <Button look="primary" disabled={!isComplete || !canSend} onClick={() => setAsked('send')}>
                    {recipients === null ? `Send to ${formatCount(people, 'person', 'people')}…` : 'Schedule…'}
                  </Button>
                )}
                <Button busy={test.isPending} disabled={!canSend} onClick={() => test.mutate()}>
                  Send me a test
                </Button>
              </>
            ) : (
              <p className={`${ui.text} ${ui.muted}`}>Only an admin can send it.</p>
            )}
            <Button look="quiet" busy={close.isPending} onClick={() => close.mutate()}>
              Back to all campaigns
            </Button>
          </div>
        </div>
      </Card>
      {asked === 'send' && (
        <SendDialog
          subject={subjectText(subject, session.fields)}
          people={recipients === null ? people : null}
          zone={zone}
          busy={start.isPending}
          error={start.error}
          onSend={(at) => start.mutate(at)}
          onClose={() => {
            isSending.current = false;
            start.reset();
            setAsked(null);
          }}
        >
          {recipients === null
            ? `Each person gets it once, ${timeText}. You can pause or cancel while it is sending, but emails already sent cannot be recalled.`
            : `${upperFirst(recipients)} will get it once. You can unschedule it until it starts.`}
        </SendDialog>
      )}
      {asked === 'timing' && draft && (
        <TimingDialog
          step={draft}
          campaigns={page.campaigns}
          onSaved={() => setAsked(null)}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'days' && draft && (
        <FollowUpDialog
          subject={page.campaigns.find((campaign) => campaign.id === draft.follows)?.subject ?? ''}
          days={draft.after_days}
          busy={changeDays.isPending}
          error={changeDays.error}
          onSave={(days) => changeDays.mutate(days)}
          onClose={() => setAsked(null)}
        />
      )}
    </EditorLayout>
  );
}

interface SaveProblemProps {
  readonly state: DraftState;
  readonly editor: DraftEditor;
  readonly onClose: () => void;
}

/** Explains why the text is not saved, or that it was replaced, and offers what to do about it. */
function SaveProblem({ state, editor, onClose }: SaveProblemProps) {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const showOther = useMutation({
    mutationFn: () => api.get<CampaignsResponse>('/campaigns'),
    onSuccess(page) {
      client.setQueryData(['campaigns', 'list'], page);
      const other = page.campaigns.find((campaign) => campaign.id === state.id && mayEdit(campaign));
      if (other) editor.replace(other);
      else editor.discard();
      if (!other) onClose();
    },
    onError: notify.failed,
  });
  const saveAsNew = useMutation({ mutationFn: () => editor.saveAsNew(), onError: notify.failed });
  if (state.isReplaced)
    return (
      <p role="status" className={ui.text}>
        This draft was changed in another tab or by another admin. You now see the latest version.
      </p>
    );
  if (!state.error) return null;
  return (
    <div role="alert" className={ui.stack}>
      <p className={`${ui.text} ${ui.problem}`}>Not saved: {withFullStop(state.error.message)}</p>
      {state.isConflict && (
        <div className={ui.row}>
          <Button busy={saveAsNew.isPending} onClick={() => saveAsNew.mutate()}>
            Save my text as a new draft
          </Button>
          <Button look="danger" busy={showOther.isPending} onClick={() => showOther.mutate()}>
            Discard my text
          </Button>
        </div>
      )}
    </div>
  );
}

/** Counts the unsent messages of all running campaigns, which share the mail quota. */
export function countUnsent(campaigns: readonly Campaign[]): number {
  return campaigns
    .filter(({ state }) => state === 'sending')
    .reduce((sum, { people, sent, failed, unknown }) => sum + Math.max(0, people - sent - failed - unknown), 0);
}
