import { mayReceive } from '../mail/message-kinds.ts';
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

/** Whom a campaign is for. */
export interface Audience {
  /** The states in `CAMPAIGN_AUDIENCE`. */
  readonly states: readonly PersonState[];
  /** The form's `source`; null: any. */
  readonly source: string | null;
}

/** The text that the admin writes. */
export interface CampaignContent {
  readonly subject: string;
  /** Markdown. */
  readonly body: string;
  readonly audience: Audience;
}

/** An email to many people. Times are epoch milliseconds. */
export interface Campaign extends CampaignContent {
  readonly id: string;
  readonly state: CampaignState;
  readonly created_at: number;
  readonly started_at: number | null;
  /** People in the audience when it was started. */
  readonly people: number;
  readonly sent: number;
  readonly failed: number;
  readonly unknown: number;
}
