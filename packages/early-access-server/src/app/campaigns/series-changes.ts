import { StorageError } from 'early-access-kit/internal';
import type { Store } from '../ports/store.ts';
import { quoteSubject } from '../text/quote-subject.ts';
import type { Campaign } from './campaign.ts';
import { type CampaignEmailParts, checkSendable } from './campaign-email.ts';
import { describeStart, describeTiming, inOrder, type WaitingPeople } from './series.ts';
import type { StepTiming } from './step-timing.ts';

const NOBODY: WaitingPeople = { late: 0, coming: 0 };

interface Step extends Pick<Campaign, 'id' | 'state' | 'subject'> {
  readonly campaign: Campaign;
  readonly timing: StepTiming;
}

/** The emails of the series in order, without ended ones. */
async function listSteps({ campaigns }: Pick<Store, 'campaigns'>): Promise<readonly Step[]> {
  const steps = (await campaigns.list()).flatMap((campaign) =>
    campaign.series === null || campaign.state === 'cancelled'
      ? []
      : [{ id: campaign.id, state: campaign.state, subject: campaign.subject, campaign, timing: campaign.series }],
  );
  return inOrder(steps.toReversed());
}

/** Reads the series: its emails, how many people wait for each, and what turning all of them on would do. */
export async function readSeries(store: Pick<Store, 'campaigns'>) {
  const [steps, waiting] = await Promise.all([listSteps(store), store.campaigns.series.waiting()]);
  const counted = steps.map((step) => ({ ...step, waiting: waiting.get(step.id) ?? NOBODY }));
  return {
    steps: counted.map(({ id, timing, waiting: { late, coming } }) => ({
      id,
      timing: describeTiming(timing, steps),
      late,
      coming,
    })),
    start: [...describeStart(counted)],
  };
}

/**
 * Turns on all emails of the series that are drafts or paused, or pauses those that are running. Returns how many were
 * changed. If an email cannot be sent, it throws a `StorageError` with code `invalid` that names the email, and turns
 * on none.
 */
export async function changeSeries(parts: CampaignEmailParts, to: 'sending' | 'paused'): Promise<number> {
  const { store } = parts;
  const from = to === 'sending' ? ['draft', 'paused'] : ['sending'];
  const changed = (await listSteps(store)).filter(({ state }) => from.includes(state));
  for (const { subject, campaign } of to === 'sending' ? changed : []) {
    try {
      await checkSendable(parts, campaign);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      const reason = error.message.replace(/^early-access-kit: /, '');
      throw new StorageError(error.code, `${quoteSubject(subject)}: ${reason}`, { cause: error });
    }
  }
  let count = 0;
  for (const { id, campaign } of changed) {
    if (await store.campaigns.change(id, to, campaign.revision)) count += 1;
  }
  return count;
}
