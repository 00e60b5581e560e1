import type { Awaitable } from '../awaitable.ts';
import type { PersonState } from './states.ts';

/** `sending` and `paused` can change into each other; `done` and `cancelled` are final. */
export const CAMPAIGN_STATES = ['draft', 'sending', 'paused', 'done', 'cancelled'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

/** Whom a campaign is for. */
export interface Audience {
  /** Of those in `mayReceive`. */
  readonly states: readonly PersonState[];
  /** The form's `source`; null: any. */
  readonly source: string | null;
}

/** What the admin writes. */
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

/**
 * The part of a store that sends campaigns. A person gets one message per campaign at most, by a unique key of the two. Messages are
 * queued a few at a time by `feed`, so that a campaign of any size leaves room for other emails.
 */
export interface CampaignStore {
  /** The newest first. */
  list(): Awaitable<readonly Campaign[]>;
  find(id: string): Awaitable<Campaign | null>;
  /** How many people the audience has now. */
  audienceSize(audience: Audience): Awaitable<number>;
  create(content: CampaignContent): Promise<Campaign>;
  /** Changes a draft. Returns false if it is no draft any more. */
  save(id: string, content: CampaignContent): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  /** `draft` or `paused` to `sending`, `sending` to `paused`, any of them to `cancelled`. Returns false if that is not possible. */
  change(id: string, to: 'sending' | 'paused' | 'cancelled'): Promise<boolean>;
  /** Queues at most `limit` messages of campaigns that are being sent, and ends those that are complete. Returns how many; 0 when done. */
  feed(limit: number): Promise<number>;
}
