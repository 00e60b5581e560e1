import type {
  AnalyticsSummary,
  EmailSignup,
  SessionStart,
  SessionUpdate,
  SignupFields,
  SignupResult,
  StoredSignup,
} from 'early-access-kit/internal';
import type { CampaignContent } from '../campaigns/campaign.ts';
import type { ComplaintCounts } from '../mail/complaints.ts';
import type { MailPause, MailTrouble } from '../mail/mail-pause.ts';
import type { MessageKind, MessageTokens } from '../mail/message-kinds.ts';
import type { MailState, MessageOutcome, UnknownDecision } from '../mail/message-state.ts';
import type { Notice } from '../mail/notice.ts';
import type { UnsentFilter, UnsentMail, WaitingMail } from '../mail/unsent-mail.ts';
import type { ListClosed } from '../signup/list-status.ts';
import type { AdminStore } from './admin-store.ts';
import type { AnalyticsStore } from './analytics-store.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import type { BulkStore } from './bulk-store.ts';
import type { CampaignStore } from './campaign-store.ts';
import type { Clock } from './clock.ts';
import type { HumanTokenStore } from './human-token-store.ts';
import type { ListStatusStore } from './list-status-store.ts';
import type { ListStore } from './list-store.ts';
import type { Awaitable } from './log.ts';
import type { PasskeyStore } from './passkey-store.ts';
import type { PeopleStore } from './people-store.ts';
import type { SegmentStore } from './segment-store.ts';
import type { ShareStore } from './share-store.ts';
import type { TeamStore } from './team-store.ts';
import type { WebhookStore } from './webhook-store.ts';

/** The message of the `StorageError` that stores reject with if the database cannot be reached or read. */
export const NO_ANSWER = 'the database does not respond';

/** The options that all stores share. */
export interface StoreOptions {
  readonly clock?: Clock;
  /** Delivery attempts per hour, of all processes together; `DEFAULT_MAILS_PER_HOUR` unless given. */
  readonly mailsPerHour?: number;
  /**
   * How long a claimed message may be in delivery before it counts as `unknown`; longer than any delivery takes. 5
   * minutes, or 10 on Firestore, where it is longer than any function runs.
   */
  readonly leaseMs?: number;
  /**
   * Whether new signups have to be confirmed: a confirmation is queued instead of the welcome email. False by default.
   */
  readonly confirm?: boolean;
  /**
   * How many entries of the audit log, and `Idempotency-Key`s of an API key, are stored; older ones are deleted.
   * 10,000.
   */
  readonly auditEntries?: number;
}

/**
 * Where the application keeps its data. Input is already validated by core's parsers. Writes resolve only after they
 * are durable and reject with a `StorageError`. Several processes may use the same database. `runStoreContract` checks
 * these guarantees.
 */
export interface Store {
  /** Whether new signups have to be confirmed, unless `createSignup` says otherwise. */
  readonly confirm: boolean;
  /**
   * Exactly one record per address under any race; never changes an existing one, but replaces the record of a person
   * who has unsubscribed, who then has to confirm under every setting. The welcome email, or the confirmation, is
   * queued in the same transaction. The same `submission_id` again returns `created` again. `confirm`: whether this
   * signup has to be confirmed; overrides the list's setting. `language`: the primary tag of the visitor's language,
   * for segments. An object, and nothing is stored: `findClosed` does not accept an address that is not on the list, or
   * is not again. Of signups that race for the last place one gets it.
   */
  createSignup(signup: EmailSignup, options?: SignupOptions): Promise<SignupResult | ListClosed>;
  /** One record per id under any number of calls; the first one wins. Ignores an erased session. */
  startSession(session: SessionStart, country?: string | null): Promise<void>;
  /**
   * Stores the session if it is not stored yet and merges the totals by maximum, so that the same updates in any order,
   * repeated or not, give the same record. Times are clamped to the store's clock. Ignores an erased session.
   */
  updateSession(id: string, update: SessionUpdate, country?: string | null): Promise<void>;
  /** Equals core's `summarize` over everything stored, without reading every session. */
  readSummary(): Promise<AnalyticsSummary>;
  /** Rejects if the database does not respond, accepts no writes or is known to be damaged. */
  ping(): Promise<void>;
  /** Every signup, oldest first, read while you iterate. */
  signups(): Iterable<StoredSignup> | AsyncIterable<StoredSignup>;
  /**
   * Erases the person with this normalized address in one transaction: the signup, its message, and the session it was
   * made in, which later updates do not bring back. An attempt in progress cannot bring the message back either. The
   * times of the mailbox's latest messages remain stored with the mailbox's SHA-256 for 24 hours, so that erasing does
   * not reset the mailbox's limit. An open correction of another person to this address is erased, too. With the id of
   * an import, erases only a person whom it has added and whom `mayWithdraw` lets go.
   */
  erase(email: string, ofImport?: string): Promise<Erasure>;
  /**
   * Removes sessions from before `time`, at most `limit`, and as many rows of what else is stored about them. The
   * figures of their time stay. Returns how many; 0 when done.
   */
  prune(time: number, limit: number): Promise<number>;
  readonly mails: MailQueue;
  readonly admin: AdminStore;
  readonly team: TeamStore;
  readonly passkeys: PasskeyStore;
  readonly apiKeys: ApiKeyStore;
  readonly analytics: AnalyticsStore;
  readonly people: PeopleStore;
  readonly segments: SegmentStore;
  readonly bulk: BulkStore;
  readonly webhooks: WebhookStore;
  readonly list: ListStore;
  readonly listStatus: ListStatusStore;
  readonly campaigns: CampaignStore;
  readonly humanTokens: HumanTokenStore;
  readonly share: ShareStore;
  /** The facts about the database that the health page shows. */
  facts(): Promise<StoreFacts>;
  /** Finishes pending writes and closes the database. */
  close(): Awaitable<void>;
}

export interface SignupOptions {
  readonly confirm?: boolean;
  readonly language?: string | null;
  /** Of the client that signs up through a share link (`shareNetwork`). */
  readonly network?: string | null;
}

/** Facts that a store cannot know are null. */
export interface StoreFacts {
  readonly store: 'sqlite' | 'firestore' | 'postgres' | 'other';
  readonly database_bytes: number | null;
  readonly disk_free_bytes: number | null;
  /**
   * When the last backup was completed, in epoch milliseconds. Null: there is none, or the store is not backed up by
   * the application.
   */
  readonly last_backup_at: number | null;
  /** The days after which the database deletes sessions by itself. Null: it does not. */
  readonly retention_days: number | null;
}

export interface Erasure {
  /** Null if nothing was stored about the address. */
  readonly erased: Erased | null;
  /**
   * Whether no byte of it is left in files that are the store's own. False while another program keeps an old state
   * open. What a database server keeps for itself, such as its log and what it has not vacuumed yet, is not the
   * store's.
   */
  readonly traceless: boolean;
}

export interface Erased {
  /** The keys of the person's emails, for erasing copies that were written to files. */
  readonly messageKeys: readonly string[];
  /** The address that was entered instead of theirs, if its owner had not confirmed it. */
  readonly newEmail: string | null;
  /** The session in which the person signed up, if it is known. */
  readonly sessionId: string | null;
  /** Whether that session was stored, and is erased too. */
  readonly session: boolean;
}

/**
 * The emails to people and admins. The store decides with the functions of `app/mail/message-state.ts`, inside its own
 * transactions. A claimed message is leased to its claimant for longer than a delivery can take.
 */
export interface MailQueue {
  /** The hourly quota of delivery attempts. */
  readonly mailsPerHour: number;
  /** The messages due now. Start a new cursor once this one is at its end. */
  due(): DueMessages;
  /**
   * Records the outcome of a claimed attempt, even after its lease ended, that an address bounced, and whether the
   * queue pauses (`afterOutcome`). Does nothing if a later attempt has started or the signup is erased.
   */
  recordOutcome(message: ClaimedMessage, outcome: MessageOutcome): Promise<void>;
  /**
   * Turns messages whose lease ended into `unknown`: the process that was sending them ended. Returns how many. Forgets
   * when mailboxes had messages, once that no longer counts.
   */
  expireLeases(): Promise<number>;
  /** When the next queued message is due, in epoch milliseconds; null if none is queued. */
  findNextDue(): Promise<number | null>;
  /**
   * When the next hour's mail quota starts, if this hour's is spent; otherwise null. `kind`: if it is spent for
   * messages of this kind.
   */
  quotaSpentUntil(kind?: MessageKind): Promise<number | null>;
  /**
   * Queues the last message of this address once more, regardless of its outcome; campaigns do not count. If the person
   * may no longer receive that one, or has had none, queues their first one instead (`chooseResend`). `no-email`: they
   * were imported without one. An address that bounced returns to its state before. Only for the admin's deliberate
   * decision.
   */
  resend(email: string): Promise<ResendResult>;
  /** Queues a notice to each of these admins. */
  notify(recipients: readonly string[], notice: Notice): Promise<void>;
  /** Whether a process is delivering the message of this address right now. */
  isBeingSent(email: string): Promise<boolean>;
  /** Counts the messages, or those of one kind, by their state. */
  counts(kind?: MessageKind): Promise<ReadonlyMap<MailState, number>>;
  /** Counts the messages that are not `sent` by their state. Reads none that are. */
  backlog(): Promise<Readonly<Record<Exclude<MailState, 'sent'>, number>>>;
  /** Counts the messages that are `queued` by their reason to wait, apart from the quota and a pause. */
  waiting(): Promise<WaitingMail>;
  /** Null unless the mail server refuses messages for a reason that is ours. */
  pause(): Promise<MailPause | null>;
  /**
   * The trouble that the last attempts had with the mail server while the queue is not paused; null if they were
   * accepted.
   */
  trouble(): Promise<MailTrouble | null>;
  /** Lets the next message be tried now. Returns whether the queue was paused. */
  endPause(): Promise<boolean>;
  /** The emails to people since `countComplaintsFrom`, and those of them that were reported as spam. */
  complaints(): Promise<ComplaintCounts>;
  /** Every message that is not `sent`, by `filter`, read while you iterate. */
  unsent(filter?: UnsentFilter): AsyncIterable<UnsentMail>;
  /**
   * Decides about a message whose outcome is `unknown`, by its id in `unsent` (`decided`). A campaign that is done
   * continues for a message that is sent again, and ends once more. Only for the admin's deliberate decision.
   */
  decideUnknown(id: string, decision: UnknownDecision): Promise<UnknownDecisionResult>;
}

/** A cursor over due messages, the one due longest first. Several workers may share it. */
export interface DueMessages {
  /**
   * Marks the next message `sending`, counts the attempt for its mailbox and the hour, and stores the hashes of the
   * attempt's tokens, in one transaction. Exactly one caller gets a message, even if several processes ask. Messages of
   * campaigns come last. A message to a full mailbox is postponed and uses up none of the hour's quota; one to a person
   * who may no longer receive it is deleted; one of a campaign that is paused waits. After a pause of the queue one
   * message is claimed, and others only once its outcome is known. After a refusal that may be ours, messages to other
   * domains come first, as far as they are found at the ends of the queue; a pause that one domain caused holds up no
   * other.
   */
  claimNext(): Promise<Claim>;
}

/**
 * `nothing`: no message is due now. `taken`: another caller has it, or it is erased; ask again. `paused`: see
 * `MailPause`.
 */
export type Claim = ClaimedMessage | 'nothing' | 'taken' | 'quota-spent' | 'mailbox-full' | 'paused';

/** A message that this claimant alone may deliver. */
export interface ClaimedMessage {
  /** Identifies the message in its store. */
  readonly id: string;
  readonly kind: MessageKind;
  readonly email: string;
  /** The values of the host's fields that the email may contain (`emailFields`); empty for a notice. */
  readonly fields: SignupFields;
  /**
   * The primary tag of the language of the person's latest signup, even one that waits to be confirmed. Null: it is not
   * known, or it is a notice.
   */
  readonly language: string | null;
  readonly tokens: MessageTokens;
  /** The text of an admin, if it belongs to a campaign; `body` is Markdown. */
  readonly campaign: Pick<CampaignContent, 'subject' | 'body'> | null;
  /** The content of a notice, if it is one. */
  readonly notice: Notice | null;
  /** The same for every attempt; the Message-ID is made of it. */
  readonly messageKey: string;
  /** Attempts so far, including this one. */
  readonly attempts: number;
  /** Identifies the attempt, so that a late outcome cannot change a later one. */
  readonly claimToken: string;
}

/**
 * `known`: its outcome is known by now, or it is erased. Not sent again: `not-wanted`, the person may no longer receive
 * it, and `cancelled`, its campaign was.
 */
export type UnknownDecisionResult = 'done' | 'known' | 'not-wanted' | 'cancelled';

export type ResendResult = 'queued' | 'being-sent' | 'not-signed-up' | 'unsubscribed' | 'no-email';
