import { HOUR_MS } from 'early-access-kit/core';
import { mayReceive } from '../mail/message-kinds.ts';
import type { Segment } from './segment.ts';
import { PERSON_STATES, type PersonState } from './states.ts';

/** `sending` and `paused` can change into each other; `done` and `cancelled` are final. */
export const CAMPAIGN_STATES = ['draft', 'sending', 'paused', 'done', 'cancelled'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

const CHANGES: Readonly<Record<CampaignState, readonly CampaignState[]>> = {
  draft: ['sending', 'cancelled'],
  sending: ['paused', 'cancelled'],
  paused: ['sending', 'cancelled'],
  done: [],
  cancelled: [],
};

/** Whether an admin can change the state like this. */
export function mayChangeCampaign(from: CampaignState, to: CampaignState): boolean {
  return CHANGES[from].includes(to);
}

/** Whether the state of a campaign can change like this. `revision`: the text that is to be started, if it is a draft; undefined for any. */
export function mayBecome(
  campaign: Pick<Campaign, 'state' | 'revision'>,
  to: CampaignState,
  revision: string | undefined,
): boolean {
  const isOther = to === 'sending' && revision !== undefined && revision !== campaign.revision;
  return mayChangeCampaign(campaign.state, to) && !(campaign.state === 'draft' && isOther);
}

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

export const NEW_DRAFT: DraftRevision = { revision: '', replaces: [] };

/** An email to many people. Times are epoch milliseconds. */
export interface Campaign extends CampaignContent {
  readonly id: string;
  /** Identifies the text. */
  readonly revision: string;
  readonly state: CampaignState;
  readonly created_at: number;
  readonly started_at: number | null;
  /** People in the audience when it was started. */
  readonly people: number;
  readonly sent: number;
  readonly failed: number;
  readonly unknown: number;
}
