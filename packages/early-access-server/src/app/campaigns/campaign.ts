import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import { PERSON_STATES, type PersonState } from '../lifecycle/states.ts';
import { mayReceive } from '../mail/message-kinds.ts';
import type { Segment } from '../people/segment.ts';
import type { StepTiming } from './step-timing.ts';

/**
 * `sending` and `paused` can change into each other, as can `draft` and `scheduled`; `done` and `cancelled` are final.
 */
export const CAMPAIGN_STATES = ['draft', 'scheduled', 'sending', 'paused', 'done', 'cancelled'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

const CHANGES: Readonly<Record<CampaignState, readonly CampaignState[]>> = {
  draft: ['scheduled', 'sending', 'cancelled'],
  // It starts by itself, and then changes into `sending`.
  scheduled: ['draft'],
  sending: ['paused', 'cancelled'],
  paused: ['sending', 'cancelled'],
  done: [],
  cancelled: [],
};

export function mayChangeCampaign(from: CampaignState, to: CampaignState): boolean {
  return CHANGES[from].includes(to);
}

/**
 * Whether the state of a campaign can change like this. `revision`: the text that is to be started or scheduled, if it
 * is a draft; undefined for any. A follow-up waits for its time, so it can only be scheduled.
 */
export function mayBecome(
  campaign: Pick<Campaign, 'state' | 'revision' | 'follows' | 'series'>,
  to: CampaignState,
  revision: string | undefined,
): boolean {
  const isOther = to !== 'cancelled' && revision !== undefined && revision !== campaign.revision;
  const isEarly = to === 'sending' && campaign.follows !== null;
  // An email of the series is turned on, and starts at no time.
  if (campaign.series !== null && to === 'scheduled') return false;
  return mayChangeCampaign(campaign.state, to) && !(mayEdit(campaign) && (isOther || isEarly));
}

/** Whether its text can be changed: an email of the series also while it is paused, so that no half of a text is sent. */
export function mayEdit({ state, series }: Pick<Campaign, 'state' | 'series'>): boolean {
  return state === 'draft' || (state === 'paused' && series !== null);
}

/** The marks of a campaign that complaints may have paused, once its state changes to `to`. */
export function afterStop(
  { stopped_at, resumed_at }: Pick<Campaign, 'stopped_at' | 'resumed_at'>,
  to: CampaignState,
  now: number,
): Pick<Campaign, 'stopped_at' | 'resumed_at'> {
  return { stopped_at: null, resumed_at: to === 'sending' && stopped_at !== null ? now : resumed_at };
}

/**
 * The state of a campaign in which one of its messages is sent again, which is only done in `sending`. Null: it was
 * cancelled, and sends nothing any more.
 */
export function stateToRepeat(state: CampaignState): CampaignState | null {
  if (state === 'cancelled') return null;
  return state === 'done' ? 'sending' : state;
}

/** The longest time between a campaign and its follow-up. */
export const MAX_AFTER_DAYS = 90;

/** A time at which a campaign starts by itself, and the time zone in which the admin chose it. */
export interface StartTime {
  readonly at: number;
  readonly zone: string;
}

/** When a scheduled campaign starts. Null: it follows one that has not ended yet, which `all` has. */
export function findStart(
  campaign: Pick<Campaign, 'scheduled_at' | 'after_days' | 'follows'>,
  all: readonly Pick<Campaign, 'id' | 'ended_at'>[],
): number | null {
  const ended = all.find(({ id }) => id === campaign.follows)?.ended_at ?? null;
  if (campaign.scheduled_at !== null || campaign.after_days === null || ended === null) return campaign.scheduled_at;
  return ended + campaign.after_days * DAY_MS;
}

/** The `scheduled_at` of a campaign that is scheduled for `time`. Null: it follows `first`, and waits for its days. */
export function scheduleStart(
  campaign: Parameters<typeof findStart>[0],
  time: StartTime | null,
  first: Parameters<typeof findStart>[1][number] | null,
  now: number,
): number | null {
  const isDue = first !== null && (findStart(campaign, [first]) ?? now) < now;
  // A follow-up whose days have passed is not late.
  return isDue ? now : (time?.at ?? null);
}

/** Whether a campaign may be scheduled for this time: null is for a follow-up, which starts after its days. */
export function maySchedule(
  campaign: Parameters<typeof mayBecome>[0],
  time: StartTime | null,
  revision: string | undefined,
): boolean {
  return mayBecome(campaign, 'scheduled', revision) && (time === null) === (campaign.follows !== null);
}

/** Whether a campaign can have a follow-up: it was started, is none itself, and is no email of the series. */
export function mayBeFollowed({
  started_at,
  follows,
  series,
}: Pick<Campaign, 'started_at' | 'follows' | 'series'>): boolean {
  return started_at !== null && follows === null && series === null;
}

/** The only state of people whom a follow-up is for. */
export const FOLLOWED_UP: PersonState = 'invited';

/** The last time at which people were invited who get a follow-up that starts at `startedAt`. */
export function lastInvitation(afterDays: number, startedAt: number): number {
  return startedAt - afterDays * DAY_MS;
}

/** Actions of people who got a campaign, counted once per person, also if the person is erased later. */
export const CAMPAIGN_REACTIONS = ['unsubscribed', 'complained', 'joined'] as const;
export type CampaignReaction = (typeof CAMPAIGN_REACTIONS)[number];

/**
 * The most messages of a campaign that wait for their first attempt. The queue is short, so people are read shortly
 * before.
 */
const WINDOW = 300;
/** Includes messages that the mail server deferred. */
const MAX_QUEUED = 5_000;

/** How many messages of a campaign may be queued now; 0 until there is room for many. */
export function campaignRoom({ queued, waiting }: { readonly queued: number; readonly waiting: number }): number {
  return waiting > WINDOW / 2 ? 0 : Math.max(0, Math.min(WINDOW - waiting, MAX_QUEUED - queued));
}

/** The states of people whom a campaign may be sent to. */
export const CAMPAIGN_AUDIENCE: readonly PersonState[] = PERSON_STATES.filter((state) => mayReceive(state, 'campaign'));

/** Longest texts, in UTF-16 code units. */
export const MAX_CAMPAIGN_SUBJECT = 200;
export const MAX_CAMPAIGN_BODY = 20_000;

/**
 * When the last of these messages is attempted, if none is deferred: the end of an hour of the quota, of which
 * campaigns may use `perHour`. Null if that is nothing.
 */
export function findSendingEnd(messages: number, perHour: number, now: number): number | null {
  return perHour === 0 ? null : now - (now % HOUR_MS) + Math.ceil(messages / perHour) * HOUR_MS;
}

export const CAMPAIGN_EXAMPLES = ['person', 'empty'] as const;
/**
 * Whose email a preview shows. `person`: someone in the audience. `empty`: someone who has entered nothing but the
 * address.
 */
export type CampaignExample = (typeof CAMPAIGN_EXAMPLES)[number];

export interface Audience {
  /** The states in `CAMPAIGN_AUDIENCE`. */
  readonly states: readonly PersonState[];
  /** The form's `source`; null: any. */
  readonly source: string | null;
  /** A copy of a segment, which narrows the audience. Left out: everyone. */
  readonly conditions?: Segment;
}

export interface CampaignContent {
  readonly subject: string;
  /** Markdown. */
  readonly body: string;
  readonly audience: Audience;
}

/** Identifies a text of a draft, so that it replaces no text that its author has not seen. */
export interface DraftRevision {
  /** A random name of the text. */
  readonly revision: string;
  /** The texts that it may replace: the last one known to be stored, and later ones, whose requests may have failed. */
  readonly replaces: readonly string[];
}

/** The same of a change. Without `replaces` it replaces any text. */
export type ChangeRevision = Pick<DraftRevision, 'revision'> & { readonly replaces?: readonly string[] | undefined };

export const NEW_DRAFT: DraftRevision = { revision: '', replaces: [] };

/** An email to many people. Times are epoch milliseconds. */
export interface Campaign extends CampaignContent, Readonly<Record<CampaignReaction, number>> {
  readonly id: string;
  readonly revision: string;
  readonly state: CampaignState;
  readonly created_at: number;
  readonly started_at: number | null;
  /** When it was done or cancelled. */
  readonly ended_at: number | null;
  /** When it starts, or was to start, by itself, and the time zone in which the admin chose it. */
  readonly scheduled_at: number | null;
  readonly time_zone: string | null;
  /**
   * The campaign that this one follows, and after this number of days; it goes to people who got that one and have not
   * joined.
   */
  readonly follows: string | null;
  readonly after_days: number | null;
  /** Since when complaints pause it; null if they do not. */
  readonly stopped_at: number | null;
  /** When an admin last resumed it after that. */
  readonly resumed_at: number | null;
  /** When each person gets it, if it is an email of the series after signing up; null: it is a campaign. */
  readonly series: StepTiming | null;
  /** People in the audience when it was started; of the series, people for whom it was queued. */
  readonly people: number;
  readonly sent: number;
  readonly failed: number;
  readonly unknown: number;
}
