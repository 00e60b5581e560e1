import type {
  Audience,
  Campaign,
  CampaignContent,
  ChangeRevision,
  DraftRevision,
  StartTime,
} from '../list/campaign.ts';
import type { Awaitable } from './log.ts';

/**
 * The part of a store that sends campaigns. A person gets one message per campaign at most, by a unique key of the two. Messages are
 * queued a few at a time by `feed`, so that a campaign of any size leaves room for other emails.
 */
export interface CampaignStore {
  /** The newest first. */
  list(): Awaitable<readonly Campaign[]>;
  find(id: string): Awaitable<Campaign | null>;
  /** How many people the audience has now; among the newest people only, if it has conditions and `newest` is given. */
  audienceSize(audience: Audience, newest?: number): Awaitable<number>;
  /**
   * Stores a new draft. If the draft with this revision or one that it replaces is stored, changes that one instead: an editor may ask again
   * without knowing whether it was stored.
   */
  create(content: CampaignContent, revision?: DraftRevision): Promise<Campaign>;
  /** Changes a draft. Returns false if it is no longer a draft, or if another text is stored than this one replaces. */
  save(id: string, content: CampaignContent, revision: ChangeRevision): Promise<boolean>;
  /** Deletes a draft. Returns false if it is no longer a draft. */
  remove(id: string): Promise<boolean>;
  /**
   * `draft` or `paused` to `sending`, `sending` to `paused`, any of them to `cancelled`, `scheduled` to `draft`. Returns false if that is not
   * possible, or if a draft is to be started and has another text than `revision`.
   */
  change(id: string, to: 'draft' | 'sending' | 'paused' | 'cancelled', revision?: string): Promise<boolean>;
  /**
   * Queues messages of campaigns that are being sent, as many as `campaignRoom` says, and ends campaigns that are complete. Returns how
   * many people it went through; 0 if there is nothing to do now. People who signed up after the start are left out.
   */
  feed(): Promise<number>;
  /** Null: this store can neither schedule campaigns nor send follow-ups, and counts no reactions. */
  readonly schedule: CampaignSchedule | null;
}

/** The part that starts campaigns by itself. */
interface CampaignSchedule {
  /**
   * `draft` to `scheduled`. A follow-up starts `after_days` after the campaign that it follows has ended, so its time is null. Returns false
   * as `change` does.
   */
  set(id: string, time: StartTime | null, revision?: string): Promise<boolean>;
  /** Starts the campaigns that are due, each exactly once, however many processes call. Returns them as they are then. */
  startDue(): Promise<readonly Campaign[]>;
  /**
   * Makes the draft of the follow-up to a campaign that was started, or changes the days of the one it has. Null if there is no such campaign,
   * if it is a follow-up itself, or if the follow-up is no longer a draft.
   */
  followUp(id: string, afterDays: number): Promise<Campaign | null>;
}
