import type {
  Audience,
  Campaign,
  CampaignContent,
  ChangeRevision,
  DraftRevision,
  StartTime,
} from '../campaigns/campaign.ts';
import type { WaitingPeople } from '../campaigns/series.ts';
import type { StepTiming } from '../campaigns/step-timing.ts';
import type { Notice } from '../mail/notice.ts';
import type { PeopleCount } from '../people/people.ts';
import type { Awaitable } from './log.ts';

/**
 * The part of a store for campaigns. A unique key ensures that a person gets at most one message per campaign. `feed`
 * queues messages a few at a time, so that a campaign of any size leaves room for other emails.
 */
export interface CampaignStore {
  /** Newest first. */
  list(): Awaitable<readonly Campaign[]>;
  find(id: string): Awaitable<Campaign | null>;
  /**
   * The current size of the audience. If it has conditions, only the newest `newest` people are counted, or fewer as in
   * `PeopleStore.count`.
   */
  audienceSize(audience: Audience, newest?: number): Awaitable<PeopleCount>;
  /**
   * Stores a new draft. If a draft with this revision, or one that it replaces, is already stored, it is changed
   * instead: an editor may retry without knowing whether the first request succeeded.
   */
  create(content: CampaignContent, revision?: DraftRevision): Promise<Campaign>;
  /**
   * Changes the text if `mayEdit` allows it. Returns false if it does not, or if the stored text is not one that this
   * revision replaces.
   */
  save(id: string, content: CampaignContent, revision: ChangeRevision): Promise<boolean>;
  /** Deletes a draft. Returns false if it is no longer a draft, or if another email of the series follows it. */
  remove(id: string): Promise<boolean>;
  /**
   * Changes `draft` or `paused` to `sending`, `sending` to `paused`, any of them to `cancelled`, or `scheduled` to
   * `draft`. Returns false if that is not possible, or if a draft to be started has another text than `revision`.
   */
  change(id: string, to: 'draft' | 'sending' | 'paused' | 'cancelled', revision?: string): Promise<boolean>;
  /**
   * Pauses every campaign that is being sent, because of complaints, and in the same transaction queues a notice to
   * each of these admins if it pauses any. So there is exactly one notice per pause, even after a crash. Returns the
   * number of paused campaigns.
   */
  stop(recipients: readonly string[], notice: Notice): Promise<number>;
  /**
   * Queues messages of campaigns that are being sent, as many as `campaignRoom` allows, and ends complete campaigns.
   * Returns the number of people processed; 0 if there is nothing to do now. Excludes people who signed up after the
   * start.
   */
  feed(): Promise<number>;
  readonly schedule: CampaignSchedule;
  readonly series: CampaignSeries;
}

/**
 * The methods for the series of emails after signing up. Each email is a campaign that continues indefinitely: `change`
 * turns it on, pauses or ends it, and `feed` queues its messages for people who are due (`decideStep`). A message is
 * queued in the same transaction that stores the step's progress, and the same unique key ensures that a person gets at
 * most one per step.
 */
interface CampaignSeries {
  /** Stores a new draft. Null if `mayTime` does not allow it. */
  add(timing: StepTiming): Promise<Campaign | null>;
  /** Changes the timing of a step. Returns false if `mayRetime` does not allow it. */
  retime(id: string, timing: StepTiming): Promise<boolean>;
  /** The people who wait for each step that was turned on and has not ended, by step id. */
  waiting(): Promise<ReadonlyMap<string, WaitingPeople>>;
}

/** The methods for campaigns that start at a scheduled time. */
interface CampaignSchedule {
  /**
   * Changes `draft` to `scheduled`. The time of a follow-up is null, because it starts `after_days` after the campaign
   * that it follows has ended. Returns false in the same cases as `change`.
   */
  set(id: string, time: StartTime | null, revision?: string): Promise<boolean>;
  /** Starts the campaigns that are due, each exactly once even if several processes call. Returns their new state. */
  startDue(): Promise<readonly Campaign[]>;
  /**
   * Creates the draft of a follow-up to a started campaign, or changes the delay of an existing one. Null if there is
   * no such campaign, if it is a follow-up itself, or if its follow-up is no longer a draft.
   */
  followUp(id: string, afterDays: number): Promise<Campaign | null>;
}
