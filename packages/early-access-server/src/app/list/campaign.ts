import { DAY_MS, HOUR_MS } from 'early-access-kit/core';
import { mayReceive } from '../mail/message-kinds.ts';
import type { Segment } from './segment.ts';
import { PERSON_STATES, type PersonState } from './states.ts';

/** `sending` and `paused` can change into each other, as can `draft` and `scheduled`; `done` and `cancelled` are final. */
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

/** Whether an admin can change the state like this. */
export function mayChangeCampaign(from: CampaignState, to: CampaignState): boolean {
  return CHANGES[from].includes(to);
}

/**
 * Whether the state of a campaign can change like this. `revision`: the text that is to be started or scheduled, if it is a draft; undefined
 * for any. A follow-up waits for its time, so it can only be scheduled.
 */
export function mayBecome(
  campaign: Pick<Campaign, 'state' | 'revision' | 'follows'>,
  to: CampaignState,
  revision: string | undefined,
): boolean {
  const isOther = to !== 'cancelled' && revision !== undefined && revision !== campaign.revision;
  const isEarly = to === 'sending' && campaign.follows !== null;
  return mayChangeCampaign(campaign.state, to) && !(campaign.state === 'draft' && (isOther || isEarly));
}

/** The longest time between a campaign and its follow-up. */
export const MAX_AFTER_DAYS = 90;

/** A time at which a campaign starts by itself, and the time zone in which the admin chose it. */
export interface StartTime {
  readonly at: number;
  readonly zone: string;
}

/** When a scheduled campaign starts. Null: it follows one that has not ended yet, which `all` has. */
export function findStart(campaign: Campaign, all: readonly Campaign[]): number | null {
  const ended = all.find(({ id }) => id === campaign.follows)?.ended_at ?? null;
  if (campaign.scheduled_at !== null || campaign.after_days === null || ended === null) return campaign.scheduled_at;
  return ended + campaign.after_days * DAY_MS;
}

/** Actions of people who got a campaign, counted once per person, also if the person is erased later. Null: the store does not count them. */
export const CAMPAIGN_REACTIONS = ['unsubscribed', 'complained', 'joined'] as const;
export type CampaignReaction = (typeof CAMPAIGN_REACTIONS)[number];

/** The most messages of a campaign that wait for their first attempt. The queue is short, so people are read shortly before. */
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
 * When the last of these messages is attempted, if none is deferred: the end of an hour of the quota, of which campaigns may use `perHour`.
 * Null if that is nothing.
 */
export function findSendingEnd(messages: number, perHour: number, now: number): number | null {
  return perHour === 0 ? null : now - (now % HOUR_MS) + Math.ceil(messages / perHour) * HOUR_MS;
}

/** Whom a campaign is for. */
export interface Audience {
  /** The states in `CAMPAIGN_AUDIENCE`. */
  readonly states: readonly PersonState[];
  /** The form's `source`; null: any. */
  readonly source: string | null;
  /** A copy of a segment, which narrows the audience. Left out: everyone. Only for a store that has `segments`. */
  readonly conditions?: Segment;
}

/** The text that the admin writes. */
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
export interface Campaign extends CampaignContent, Readonly<Record<CampaignReaction, number | null>> {
  readonly id: string;
  /** Identifies the text. */
  readonly revision: string;
  readonly state: CampaignState;
  readonly created_at: number;
  readonly started_at: number | null;
  /** When it was done or cancelled. Always null in a store that schedules nothing. */
  readonly ended_at: number | null;
  /** When it starts, or was to start, by itself, and the time zone in which the admin chose it. */
  readonly scheduled_at: number | null;
  readonly time_zone: string | null;
  /** The campaign that this one follows, and after this number of days; it goes to people who got that one and have not joined. */
  readonly follows: string | null;
  readonly after_days: number | null;
  /** People in the audience when it was started. */
  readonly people: number;
  readonly sent: number;
  readonly failed: number;
  readonly unknown: number;
}
