import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import { PERSON_STATES, type PersonState } from '../lifecycle/states.ts';
import { mayReceive } from '../mail/message-kinds.ts';
import type { Segment } from '../people/segment.ts';
import type { StepTiming } from './step-timing.ts';

/**
 * `sending` and `paused` can change into each other, as can `draft` and `scheduled`. `done` and `cancelled` are final.
 */
export const CAMPAIGN_STATES = ['draft', 'scheduled', 'sending', 'paused', 'done', 'cancelled'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

const CHANGES: Readonly<Record<CampaignState, readonly CampaignState[]>> = {
  draft: ['scheduled', 'sending', 'cancelled'],
  // When its time comes, it changes to `sending`.
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
 * Returns whether a campaign may change to this state. `revision` is the text to be started or scheduled, which must
 * match a draft's; undefined matches any. A follow-up can only be scheduled, because it waits for its delay.
 */
export function mayBecome(
  campaign: Pick<Campaign, 'state' | 'revision' | 'follows' | 'series'>,
  to: CampaignState,
  revision: string | undefined,
): boolean {
  const isOther = to !== 'cancelled' && revision !== undefined && revision !== campaign.revision;
  const isEarly = to === 'sending' && campaign.follows !== null;
  // Emails of the series are turned on rather than scheduled.
  if (campaign.series !== null && to === 'scheduled') return false;
  return mayChangeCampaign(campaign.state, to) && !(mayEdit(campaign) && (isOther || isEarly));
}

/**
 * Returns whether the text can be changed. An email of the series can also be changed while it is paused, so that
 * nobody receives a half-edited text.
 */
export function mayEdit({ state, series }: Pick<Campaign, 'state' | 'series'>): boolean {
  return state === 'draft' || (state === 'paused' && series !== null);
}

/** Resets `stopped_at` and sets `resumed_at` when a campaign's state changes to `to`. */
export function afterStop(
  { stopped_at, resumed_at }: Pick<Campaign, 'stopped_at' | 'resumed_at'>,
  to: CampaignState,
  now: number,
): Pick<Campaign, 'stopped_at' | 'resumed_at'> {
  return { stopped_at: null, resumed_at: to === 'sending' && stopped_at !== null ? now : resumed_at };
}

/**
 * The state that a campaign changes to if one of its messages is sent again, because only `sending` campaigns send.
 * Null: it is cancelled and sends nothing.
 */
export function stateToRepeat(state: CampaignState): CampaignState | null {
  if (state === 'cancelled') return null;
  return state === 'done' ? 'sending' : state;
}

/** The longest delay between a campaign and its follow-up. */
export const MAX_AFTER_DAYS = 90;

/** The time at which a campaign is scheduled to start, and the time zone in which the admin chose it. */
export interface StartTime {
  readonly at: number;
  readonly zone: string;
}

/** Returns when a scheduled campaign starts. Null: it follows a campaign, one of `all`, that has not ended yet. */
export function findStart(
  campaign: Pick<Campaign, 'scheduled_at' | 'after_days' | 'follows'>,
  all: readonly Pick<Campaign, 'id' | 'ended_at'>[],
): number | null {
  const ended = all.find(({ id }) => id === campaign.follows)?.ended_at ?? null;
  if (campaign.scheduled_at !== null || campaign.after_days === null || ended === null) return campaign.scheduled_at;
  return ended + campaign.after_days * DAY_MS;
}

/**
 * Returns the `scheduled_at` of a campaign that is scheduled for `time`. If `time` is null, it follows `first` and
 * waits for its delay.
 */
export function scheduleStart(
  campaign: Parameters<typeof findStart>[0],
  time: StartTime | null,
  first: Parameters<typeof findStart>[1][number] | null,
  now: number,
): number | null {
  const isDue = first !== null && (findStart(campaign, [first]) ?? now) < now;
  // A follow-up starts at once if its delay has already passed, and is not considered late.
  return isDue ? now : (time?.at ?? null);
}

/** Returns whether a campaign may be scheduled for this time. A follow-up needs null: it starts after its delay. */
export function maySchedule(
  campaign: Parameters<typeof mayBecome>[0],
  time: StartTime | null,
  revision: string | undefined,
): boolean {
  return mayBecome(campaign, 'scheduled', revision) && (time === null) === (campaign.follows !== null);
}

/**
 * Returns whether a campaign can have a follow-up: it was started, is not a follow-up itself, and is not part of the
 * series.
 */
export function mayBeFollowed({
  started_at,
  follows,
  series,
}: Pick<Campaign, 'started_at' | 'follows' | 'series'>): boolean {
  return started_at !== null && follows === null && series === null;
}

/** The only state that a follow-up is sent to. */
export const FOLLOWED_UP: PersonState = 'invited';

/** A follow-up that starts at `startedAt` goes to people who were invited until this time. */
export function lastInvitation(afterDays: number, startedAt: number): number {
  return startedAt - afterDays * DAY_MS;
}

/** Reactions to a campaign, counted once per recipient. They still count after the person was erased. */
export const CAMPAIGN_REACTIONS = ['unsubscribed', 'complained', 'joined'] as const;
export type CampaignReaction = (typeof CAMPAIGN_REACTIONS)[number];

/**
 * The most messages of a campaign that wait for their first attempt. The queue is kept short, so that people are read
 * shortly before the email is sent.
 */
const WINDOW = 300;
/** Includes messages that the mail server has deferred. */
const MAX_QUEUED = 5_000;

/** How many messages of a campaign may be queued now. 0 until half of the window is free. */
export function campaignRoom({ queued, waiting }: { readonly queued: number; readonly waiting: number }): number {
  return waiting > WINDOW / 2 ? 0 : Math.max(0, Math.min(WINDOW - waiting, MAX_QUEUED - queued));
}

/** The states that a campaign may be sent to. */
export const CAMPAIGN_AUDIENCE: readonly PersonState[] = PERSON_STATES.filter((state) => mayReceive(state, 'campaign'));

/** The longest subject and body, in UTF-16 code units. */
export const MAX_CAMPAIGN_SUBJECT = 200;
export const MAX_CAMPAIGN_BODY = 20_000;

/**
 * Estimates when the last of these messages will be attempted, if none is deferred. It is the end of an hour of the
 * mail quota, of which campaigns may use `perHour`. Null if campaigns may use none.
 */
export function findSendingEnd(messages: number, perHour: number, now: number): number | null {
  return perHour === 0 ? null : now - (now % HOUR_MS) + Math.ceil(messages / perHour) * HOUR_MS;
}

export const CAMPAIGN_EXAMPLES = ['person', 'empty'] as const;
/** Whose values a preview shows. `person`: someone in the audience. `empty`: someone who entered only their address. */
export type CampaignExample = (typeof CAMPAIGN_EXAMPLES)[number];

export interface Audience {
  /** The states in `CAMPAIGN_AUDIENCE`. */
  readonly states: readonly PersonState[];
  /** The form's `source`, or null for any. */
  readonly source: string | null;
  /** A copy of a segment's conditions, which limits the audience. Left out: everyone. */
  readonly conditions?: Segment;
}

export interface CampaignContent {
  readonly subject: string;
  /** Markdown. */
  readonly body: string;
  readonly audience: Audience;
}

/** Identifies a draft's text. Saving never overwrites a text that the author has not seen. */
export interface DraftRevision {
  /** A random id of the text. */
  readonly revision: string;
  /** Revisions that it may replace: the last one known to be stored, and later ones whose requests may have failed. */
  readonly replaces: readonly string[];
}

/** The same for any change. Without `replaces`, it replaces any text. */
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
  /** When it starts or was to start by schedule, and the time zone in which the admin chose the time. */
  readonly scheduled_at: number | null;
  readonly time_zone: string | null;
  /**
   * The campaign that this one follows up on, and the delay in days. It goes to recipients of that campaign who have
   * not joined.
   */
  readonly follows: string | null;
  readonly after_days: number | null;
  /** When complaints paused it; null if it is not paused by complaints. */
  readonly stopped_at: number | null;
  /** When an admin last resumed it after complaints had paused it. */
  readonly resumed_at: number | null;
  /** When each person gets it, if it is an email of the series. Null for other campaigns. */
  readonly series: StepTiming | null;
  /** The size of the audience when it was started. For the series, the number of people for whom it was queued. */
  readonly people: number;
  readonly sent: number;
  readonly failed: number;
  readonly unknown: number;
}
