import type { Campaign, SeriesState, StepTiming } from 'early-access-server/admin-api';
import { inOrder, MAX_STEP_DAYS, SERIES_STATES } from 'early-access-server/admin-pages';
import { useRef, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { upperFirst, withFullStop } from '../format/format.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import ui from '../ui/ui.module.css';

const AFTER: Readonly<Record<SeriesState, string>> = {
  subscribed: 'they sign up, and confirm if they have to',
  invited: 'they are invited',
  joined: 'they join',
};
const DEFAULT_DAYS = 3;

/** Returns the emails of the series in order, without those that were ended. */
export function listSteps(campaigns: readonly Campaign[]): readonly (Campaign & { readonly timing: StepTiming })[] {
  const steps = campaigns.flatMap((campaign) =>
    campaign.series === null || campaign.state === 'cancelled' ? [] : [{ ...campaign, timing: campaign.series }],
  );
  return inOrder(steps.toReversed());
}

interface TimingDialogProps {
  /** The email whose timing is changed; null for a new one. */
  readonly step: Campaign | null;
  readonly campaigns: readonly Campaign[];
  readonly onSaved: (id: string) => void;
  readonly onClose: () => void;
}

/** Asks how many days after which event an email of the series is sent. Once it is on, only the days can change. */
export function TimingDialog({ step, campaigns, onSaved, onClose }: TimingDialogProps) {
  const stored = step?.series ?? null;
  const [after, setAfter] = useState<string>(stored?.previous ?? stored?.after ?? 'subscribed');
  const [days, setDays] = useState(String(stored?.days ?? DEFAULT_DAYS));
  const field = useRef<HTMLInputElement>(null);
  const save = useAction(
    async (api) => {
      const state = SERIES_STATES.find((name) => name === after) ?? null;
      const timing: StepTiming = { after: state, previous: state === null ? after : null, days: Number(days) };
      if (step === null) return (await api.post<Campaign>('/campaigns/series', timing)).id;
      await api.post(`/campaigns/${step.id}/timing`, timing);
      return step.id;
    },
    { refreshes: [['campaigns']], showsError: true, onDone: onSaved },
  );
  const problem = save.error && withFullStop(upperFirst(save.error.message));
  return (
    <FormDialog
      title={step === null ? 'Add an email' : 'When people get it'}
      intro={
        <p className={ui.text}>
          Each person gets it once, if they are in its audience at that time. People who leave the list get no more
          emails.
        </p>
      }
      action={step === null ? 'Write email' : 'Save'}
      busy={save.isPending}
      problem={problem}
      problemId="timing-problem"
      initialFocus={field}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Days"
        ref={field}
        type="number"
        min={1}
        max={MAX_STEP_DAYS}
        required
        value={days}
        onChange={setDays}
        aria-describedby="timing-problem"
      />
      <label className={ui.field}>
        After
        <select
          className={ui.input}
          value={after}
          disabled={step !== null && step.started_at !== null}
          onChange={({ target }) => setAfter(target.value)}
        >
          {SERIES_STATES.map((state) => (
            <option key={state} value={state}>
              {AFTER[state]}
            </option>
          ))}
          {listSteps(campaigns)
            .filter(({ id }) => id !== step?.id)
            .map(({ id, subject }) => (
              <option key={id} value={id}>{`they got “${subject || 'Without a subject'}”`}</option>
            ))}
        </select>
      </label>
    </FormDialog>
  );
}
