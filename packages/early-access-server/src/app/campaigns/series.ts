import { DAY_MS } from 'early-access-kit/internal';
import type { CampaignState } from './campaign.ts';
import { SERIES_STATES, type SeriesState, type StepTiming } from './step-timing.ts';

/** The most emails of the series, without those that were ended. */
export const MAX_STEPS = 10;
/** The longest time before an email of the series. */
export const MAX_STEP_DAYS = 365;

/** A moment of a person: when they reached a state or got an email, and the number or id that orders equal times. */
export interface Moment<Id extends number | string> {
  readonly at: number;
  readonly id: Id;
}

/** An email of the series, and how far it has come. */
export interface SeriesStep<Id extends number | string> {
  readonly id: string;
  readonly state: CampaignState;
  readonly timing: StepTiming;
  /**
   * Everyone up to this moment was looked at. It starts when the step is turned on, without an id: that time counts as
   * before. Null: it was never turned on.
   */
  readonly reached: { readonly at: number; readonly id: Id | null } | null;
}

/** Whether a moment is later than all that were looked at. */
export function isBeyond<Id extends number | string>(moment: Moment<Id>, reached: SeriesStep<Id>['reached']): boolean {
  if (reached === null) return false;
  return moment.at > reached.at || (moment.at === reached.at && reached.id !== null && moment.id > reached.id);
}

/** The latest time of moments that are due. */
export function dueUntil({ days }: StepTiming, now: number): number {
  return now - days * DAY_MS;
}

/** The steps in the order of their emails, from their order of creation: by state and days, each with what follows it. */
export function inOrder<Step extends { readonly id: string; readonly timing: StepTiming }>(
  steps: readonly Step[],
): readonly Step[] {
  const firsts = steps
    .filter(({ timing }) => timing.after !== null || steps.every(({ id }) => id !== timing.previous))
    .toSorted((a, b) => rank(a.timing) - rank(b.timing) || a.timing.days - b.timing.days);
  const chain = (step: Step): readonly Step[] => [
    step,
    ...steps.filter(({ timing }) => timing.previous === step.id).flatMap(chain),
  ];
  return firsts.flatMap(chain);
}

function rank({ after }: StepTiming): number {
  return after === null ? SERIES_STATES.length : SERIES_STATES.indexOf(after);
}

/** What a step does about a person whose moment is the next that it has not looked at. */
export type StepDecision =
  /** Queues the email. */
  | 'queue'
  /** Never queues it for this moment. */
  | 'pass'
  /** Looks at it later. */
  | 'wait';

export interface StepPerson<Id extends number | string> {
  readonly moment: Moment<Id>;
  /** Whether they may receive it now, and are in its audience: people who left are not. */
  readonly isInAudience: boolean;
  /** Whether they have the step's message, whatever became of it. */
  readonly hasMessage: boolean;
  /** Whether a message of one of `pausedBefore` waits for them in the queue. */
  readonly isHeld: boolean;
}

/**
 * The one decision of the series. A step is for people who reach its moment after it was turned on, in their order, each
 * once; and a person gets the emails after one state in the order of their days, even if all of them are late.
 */
export function decideStep<Id extends number | string>(
  step: SeriesStep<Id>,
  steps: readonly SeriesStep<Id>[],
  { moment, isInAudience, hasMessage, isHeld }: StepPerson<Id>,
  now: number,
): StepDecision {
  if (step.state !== 'sending' || step.reached === null || moment.at > dueUntil(step.timing, now)) return 'wait';
  if (!isBeyond(moment, step.reached)) return 'pass';
  // One that is paused holds up the emails that come after it.
  if (isHeld || earlierSteps(step, steps).some((earlier) => isBeyond(moment, earlier.reached))) return 'wait';
  return isInAudience && !hasMessage ? 'queue' : 'pass';
}

/** The ids of the steps that are paused and come before this one. */
export function pausedBefore<Id extends number | string>(
  step: SeriesStep<Id>,
  steps: readonly SeriesStep<Id>[],
): readonly string[] {
  return earlierSteps(step, steps).flatMap(({ id, state }) => (state === 'paused' ? [id] : []));
}

/** The running or paused steps after the same state that come before this one. */
function earlierSteps<Id extends number | string>(step: SeriesStep<Id>, steps: readonly SeriesStep<Id>[]) {
  if (step.timing.after === null) return [];
  const ordered = inOrder(steps.filter(({ state }) => state === 'sending' || state === 'paused'));
  const same = ordered.filter(({ timing }) => timing.after === step.timing.after);
  return same.slice(
    0,
    same.findIndex(({ id }) => id === step.id),
  );
}

/**
 * Goes through the next people of a step in their order. Returns whom to queue, and the last one that was looked at;
 * null if it is none.
 */
export function planStep<Id extends number | string, Person extends StepPerson<Id>>(
  step: SeriesStep<Id>,
  steps: readonly SeriesStep<Id>[],
  people: readonly Person[],
  now: number,
): { readonly queued: readonly Person[]; readonly looked: number; readonly reached: Moment<Id> | null } {
  const decisions = people.map((person) => decideStep(step, steps, person, now));
  const first = decisions.indexOf('wait');
  const looked = first === -1 ? people.length : first;
  const queued = people.slice(0, looked).filter((_, index) => decisions[index] === 'queue');
  return { queued, looked, reached: people[looked - 1]?.moment ?? null };
}

/** Whether another step can be added, or one can come after these. `steps`: all of the series. */
export function mayTime(
  timing: StepTiming,
  id: string | null,
  steps: readonly { readonly id: string; readonly state: CampaignState; readonly timing: StepTiming }[],
): boolean {
  if ((timing.after === null) === (timing.previous === null)) return false;
  const count = steps.filter((step) => step.state !== 'cancelled' && step.id !== id).length;
  if (count >= MAX_STEPS) return false;
  // No step comes after itself.
  for (let previous = timing.previous; previous !== null; ) {
    const found = steps.find((step) => step.id === previous);
    if (found === undefined || found.id === id || found.state === 'cancelled') return false;
    previous = found.timing.previous;
  }
  return true;
}

/** Whether the timing of a stored step can become this one: what it comes after is fixed once it was turned on. */
export function mayRetime(
  step: {
    readonly id: string;
    readonly state: CampaignState;
    readonly started_at: number | null;
    readonly timing: StepTiming;
  },
  timing: StepTiming,
  steps: Parameters<typeof mayTime>[2],
): boolean {
  const { after, previous } = step.timing;
  const isSame = timing.after === after && timing.previous === previous;
  if (step.started_at !== null && !isSame) return false;
  return step.state !== 'sending' && step.state !== 'cancelled' && (isSame || mayTime(timing, step.id, steps));
}

/** People who have reached a step's moment and not got its email. `late`: they get it as soon as the step runs. */
export interface WaitingPeople {
  readonly late: number;
  readonly coming: number;
}

const REACHES: Readonly<Record<SeriesState, string>> = {
  subscribed: 'sign up',
  invited: 'are invited',
  joined: 'join',
};

/** `3 days after they join`, `2 days after “Welcome”`. */
export function describeTiming(
  { after, previous, days }: StepTiming,
  steps: readonly { readonly id: string; readonly subject: string }[],
): string {
  const time = `${days} ${days === 1 ? 'day' : 'days'} after`;
  if (after !== null) return `${time} they ${REACHES[after]}`;
  return `${time} “${steps.find(({ id }) => id === previous)?.subject || 'Without a subject'}”`;
}

/** What happens to whom if all steps are turned on or resumed, in sentences. */
export function describeStart(
  steps: readonly {
    readonly id: string;
    readonly subject: string;
    readonly state: CampaignState;
    readonly timing: StepTiming;
    readonly waiting: WaitingPeople;
  }[],
): readonly string[] {
  const drafts = inOrder(steps.filter(({ state }) => state === 'draft'));
  const late = inOrder(steps.filter(({ state, waiting }) => state === 'paused' && waiting.late > 0));
  const isPaused = steps.some(({ state }) => state === 'paused');
  return [
    ...drafts.map(
      ({ subject, timing }) =>
        `From now on, people get “${subject || 'Without a subject'}” ${describeTiming(timing, steps)}.`,
    ),
    ...(drafts.length > 0 ? ['Nobody gets an email for what they did before.'] : []),
    ...late.map(
      ({ subject, waiting: { late } }) =>
        `${late} ${late === 1 ? 'person is' : 'people are'} late for “${subject}”. They get it now, once, and in order.`,
    ),
    ...(isPaused && late.length === 0 ? ['Nobody is late for a paused email.'] : []),
  ];
}
