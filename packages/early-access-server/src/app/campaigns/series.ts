import { DAY_MS } from 'early-access-kit/internal';
import { quoteSubject } from '../text/quote-subject.ts';
import type { CampaignState } from './campaign.ts';
import { SERIES_STATES, type SeriesState, type StepTiming } from './step-timing.ts';

/** The most emails in the series, not counting ended ones. */
export const MAX_STEPS = 10;
/** The longest delay before an email of the series, in days. */
export const MAX_STEP_DAYS = 365;

/** When a person reached a state or got an email. A number or id orders moments at the same time. */
export interface Moment<Id extends number | string> {
  readonly at: number;
  readonly id: Id;
}

/** An email of the series, and its progress. */
export interface SeriesStep<Id extends number | string> {
  readonly id: string;
  readonly state: CampaignState;
  readonly timing: StepTiming;
  /**
   * Everyone up to this moment has been processed. It starts at the time when the step is turned on, without an id;
   * moments at exactly that time are skipped. Null: it was never turned on.
   */
  readonly reached: { readonly at: number; readonly id: Id | null } | null;
}

/** Returns whether the moment has not been processed yet. */
export function isBeyond<Id extends number | string>(moment: Moment<Id>, reached: SeriesStep<Id>['reached']): boolean {
  if (reached === null) return false;
  return moment.at > reached.at || (moment.at === reached.at && reached.id !== null && moment.id > reached.id);
}

/** Moments up to this time are due. */
export function dueUntil({ days }: StepTiming, now: number): number {
  return now - days * DAY_MS;
}

/**
 * Sorts steps (in order of creation) in the order of their emails: by state and days, each followed by the steps that
 * depend on it.
 */
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

/** What a step does for a person whose moment is next. */
export type StepDecision =
  /** Queue the email. */
  | 'queue'
  /** Skip this moment for good. */
  | 'pass'
  /** Try again later. */
  | 'wait';

export interface StepPerson<Id extends number | string> {
  readonly moment: Moment<Id>;
  /** True if they may receive the email and belong to its audience. People who left do not. */
  readonly isInAudience: boolean;
  /** True if they already have a message of this step, in any state. */
  readonly hasMessage: boolean;
  /** True if a message of one of `pausedBefore` is waiting for them in the queue. */
  readonly isHeld: boolean;
}

/**
 * Decides whether a person gets the step's email. A step covers people who reach its moment after it was turned on,
 * each once and in order. Emails after the same state go out in the order of their days, even if all of them are late.
 */
export function decideStep<Id extends number | string>(
  step: SeriesStep<Id>,
  steps: readonly SeriesStep<Id>[],
  { moment, isInAudience, hasMessage, isHeld }: StepPerson<Id>,
  now: number,
): StepDecision {
  if (step.state !== 'sending' || step.reached === null || moment.at > dueUntil(step.timing, now)) return 'wait';
  if (!isBeyond(moment, step.reached)) return 'pass';
  // A paused step holds back the emails that come after it.
  if (isHeld || earlierSteps(step, steps).some((earlier) => isBeyond(moment, earlier.reached))) return 'wait';
  return isInAudience && !hasMessage ? 'queue' : 'pass';
}

/** The ids of the paused steps that come before this one. */
export function pausedBefore<Id extends number | string>(
  step: SeriesStep<Id>,
  steps: readonly SeriesStep<Id>[],
): readonly string[] {
  return earlierSteps(step, steps).flatMap(({ id, state }) => (state === 'paused' ? [id] : []));
}

/** The running or paused steps that follow the same state and come before this one. */
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
 * Processes the next people of a step in order. Returns whom to queue, and the last moment that was processed (null if
 * none was).
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

/** Returns whether a step with this timing can be added to `steps`, which are all steps of the series. */
export function mayTime(
  timing: StepTiming,
  id: string | null,
  steps: readonly { readonly id: string; readonly state: CampaignState; readonly timing: StepTiming }[],
): boolean {
  if ((timing.after === null) === (timing.previous === null)) return false;
  const count = steps.filter((step) => step.state !== 'cancelled' && step.id !== id).length;
  if (count >= MAX_STEPS) return false;
  // Prevents a step from depending on itself.
  for (let previous = timing.previous; previous !== null; ) {
    const found = steps.find((step) => step.id === previous);
    if (found === undefined || found.id === id || found.state === 'cancelled') return false;
    previous = found.timing.previous;
  }
  return true;
}

/** Returns whether a stored step's timing can change to this one. What it follows is fixed once it was turned on. */
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

/** People who have reached a step's moment without getting its email. `late`: they get it once the step is running. */
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
  return `${time} ${quoteSubject(steps.find(({ id }) => id === previous)?.subject)}`;
}

/** Explains in sentences who gets which email if all steps are turned on or resumed. */
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
      ({ subject, timing }) => `From now on, people get ${quoteSubject(subject)} ${describeTiming(timing, steps)}.`,
    ),
    ...(drafts.length > 0 ? ['No one gets emails for earlier signups, invitations or joins.'] : []),
    ...late.map(
      ({ subject, waiting: { late } }) =>
        `${late} ${late === 1 ? 'person' : 'people'} missed ${quoteSubject(subject)} while it was paused. They get it now.`,
    ),
    ...(isPaused && late.length === 0 ? ['No one missed an email during the pause.'] : []),
  ];
}
