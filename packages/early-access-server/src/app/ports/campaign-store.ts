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
 * The part of a store that sends campaigns. A person gets one message per campaign at most, by a unique key of the two.
 * Messages are queued a few at a time by `feed`, so that a campaign of any size leaves room for other emails.
 */
export interface CampaignStore {
  /** The newest first. */
  list(): Awaitable<readonly Campaign[]>;
  find(id: string): Awaitable<Campaign | null>;
  /**
   * How many people the audience has now; among at most `newest` people, if it has conditions, or fewer as in
   * `PeopleStore.count`.
   */
  audienceSize(audience: Audience, newest?: number): Awaitable<PeopleCount>;
  /**
   * Stores a new draft. If the draft with this revision or one that it replaces is stored, changes that one instead: an
   * editor may ask again without knowing whether it was stored.
   */
  create(content: CampaignContent, revision?: DraftRevision): Promise<Campaign>;
  /** Changes a text that `mayEdit` lets change. Returns false if not, or if another text is stored than this one replaces. */
  save(id: string, content: CampaignContent, revision: ChangeRevision): Promise<boolean>;
  /** Deletes a draft. Returns false if it is no longer a draft, or if an email of the series comes after it. */
  remove(id: string): Promise<boolean>;
  /**
   * `draft` or `paused` to `sending`, `sending` to `paused`, any of them to `cancelled`, `scheduled` to `draft`.
   * Returns false if that is not possible, or if a draft is to be started and has another text than `revision`.
   */
  change(id: string, to: 'draft' | 'sending' | 'paused' | 'cancelled', revision?: string): Promise<boolean>;
  /**
   * Pauses every campaign that is being sent, because of complaints, and queues a notice to each of these admins in the
   * same transaction if it pauses any: a pause has one notice, whatever process ends. Returns how many it paused.
   */
  stop(recipients: readonly string[], notice: Notice): Promise<number>;
  /**
   * Queues messages of campaigns that are being sent, as many as `campaignRoom` says, and ends campaigns that are
   * complete. Returns how many people it went through; 0 if there is nothing to do now. People who signed up after the
   * start are left out.
   */
  feed(): Promise<number>;
  readonly schedule: CampaignSchedule;
  readonly series: CampaignSeries;
}

/**
 * The part that has the emails of the series after signing up. They are campaigns that go on: `change` turns one on,
 * pauses it and ends it, and `feed` queues its messages to the people who are due (`decideStep`). A message is queued in
 * the transaction that stores how far the step has come, and a person gets one per step by the same unique key.
 */
interface CampaignSeries {
  /** Stores a new draft. Null if that is not possible (`mayTime`). */
  add(timing: StepTiming): Promise<Campaign | null>;
  /** Changes when people get a step. Returns false if that is not possible (`mayRetime`). */
  retime(id: string, timing: StepTiming): Promise<boolean>;
  /** The people who wait for each step that was turned on and has not ended, by its id. */
  waiting(): Promise<ReadonlyMap<string, WaitingPeople>>;
}

/** The part that starts campaigns by itself. */
interface CampaignSchedule {
  /**
   * `draft` to `scheduled`. A follow-up starts `after_days` after the campaign that it follows has ended, so its time
   * is null. Returns false as `change` does.
   */
  set(id: string, time: StartTime | null, revision?: string): Promise<boolean>;
  /**
   * Starts the campaigns that are due, each exactly once, however many processes call. Returns them as they are then.
   */
  startDue(): Promise<readonly Campaign[]>;
  /**
   * Makes the draft of the follow-up to a campaign that was started, or changes the days of the one it has. Null if
   * there is no such campaign, if it is a follow-up itself, or if the follow-up is no longer a draft.
   */
  followUp(id: string, afterDays: number): Promise<Campaign | null>;
}
