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

/** The message of the `StorageError` with which stores reject if the database is unavailable. */
export const NO_ANSWER = 'the database does not respond';

/** Options that all stores share. */
export interface StoreOptions {
  readonly clock?: Clock;
  /** Delivery attempts per hour, for all processes together. Default: `DEFAULT_MAILS_PER_HOUR`. */
  readonly mailsPerHour?: number;
  /**
   * How long, in milliseconds, a claimed message may be in delivery before it becomes `unknown`. Must be longer than
   * any delivery takes. Default: 5 minutes; 10 on Firestore, which is longer than any function runs.
   */
  readonly leaseMs?: number;
  /** Whether new signups have to be confirmed, with a confirmation instead of the welcome email. Default: false. */
  readonly confirm?: boolean;
  /**
   * The number of entries in the audit log, and of `Idempotency-Key`s per API key, to store. Older ones are deleted.
   * Default: 10,000.
   */
  readonly auditEntries?: number;
}

/**
 * The application's storage. Input has been validated by core's parsers. Writes resolve only after they are durable,
 * and reject with a `StorageError`. Several processes may use the same database. `runStoreContract` tests these
 * guarantees.
 */
export interface Store {
  /** Whether new signups have to be confirmed. `createSignup` can override it. */
  readonly confirm: boolean;
  /**
   * Stores exactly one record per address under any race. Never changes an existing record, but replaces that of an
   * unsubscribed person, who always has to confirm. Queues the welcome or confirmation email in the same transaction.
   * Repeating a `submission_id` returns `created` again. `confirm` overrides the list's setting for this signup.
   * `language`: the primary subtag of the visitor's language, for segments. If `findClosed` rejects an address that is
   * not on the list or has unsubscribed, returns an object and stores nothing. If several signups race for the last
   * place, one gets it.
   */
  createSignup(signup: EmailSignup, options?: SignupOptions): Promise<SignupResult | ListClosed>;
  /** Stores one record per id under any number of calls; the first one wins. Ignores erased sessions. */
  startSession(session: SessionStart, country?: string | null): Promise<void>;
  /**
   * Stores the session if it is not stored yet, and merges totals by maximum, so that the result does not depend on the
   * order or repetition of updates. Clamps times to the store's clock. Ignores erased sessions.
   */
  updateSession(id: string, update: SessionUpdate, country?: string | null): Promise<void>;
  /** Returns the same as core's `summarize` over everything stored, without reading every session. */
  readSummary(): Promise<AnalyticsSummary>;
  /** Rejects if the database does not respond, accepts no writes or is known to be damaged. */
  ping(): Promise<void>;
  /** Every signup, oldest first, read during iteration. */
  signups(): Iterable<StoredSignup> | AsyncIterable<StoredSignup>;
  /**
   * Erases the person with this normalized address in one transaction: the signup, its messages and its session, which
   * later updates do not restore. A delivery in progress does not restore its message either. The times of the
   * mailbox's latest messages remain with the mailbox's SHA-256 for 24 hours, so that erasing does not reset its limit.
   * Also erases another person's open correction to this address. `ofImport` (the id of an import) limits this to a
   * person whom the import added and `mayWithdraw` allows to erase.
   */
  erase(email: string, ofImport?: string): Promise<Erasure>;
  /**
   * Deletes sessions from before `time`, at most `limit`, and as many related rows. Figures of that period remain.
   * Returns how many; 0 when done.
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
  /** The network of a client that signs up through a share link (`shareNetwork`). */
  readonly network?: string | null;
}

/** Facts that a store cannot determine are null. */
export interface StoreFacts {
  readonly store: 'sqlite' | 'firestore' | 'postgres' | 'other';
  readonly database_bytes: number | null;
  readonly disk_free_bytes: number | null;
  /**
   * When the last backup was completed, in epoch milliseconds. Null if there is none, or if the application does not
   * back up this store.
   */
  readonly last_backup_at: number | null;
  /** The number of days after which the database itself deletes sessions. Null if it does not. */
  readonly retention_days: number | null;
}

export interface Erasure {
  /** Null if nothing was stored about the address. */
  readonly erased: Erased | null;
  /**
   * True if no trace remains in files that belong to the store. False while another program has an old state open. A
   * database server's own files, such as its WAL and rows not yet vacuumed, are not included.
   */
  readonly traceless: boolean;
}

export interface Erased {
  /** The keys of the person's emails, for deleting copies that were written to files. */
  readonly messageKeys: readonly string[];
  /** The address entered to replace theirs, if its owner had not confirmed it, or null. */
  readonly newEmail: string | null;
  /** The session in which the person signed up, or null if unknown. */
  readonly sessionId: string | null;
  /** True if that session was stored, and is erased as well. */
  readonly session: boolean;
}

/**
 * Emails to people and admins. The store decides with the functions of `app/mail/message-state.ts`, inside its own
 * transactions. A claimed message is leased for longer than a delivery can take.
 */
export interface MailQueue {
  /** The mail quota: delivery attempts per hour. */
  readonly mailsPerHour: number;
  /** A cursor over the messages due now. Start a new one once it is at its end. */
  due(): DueMessages;
  /**
   * Records the outcome of a claimed attempt (even after its lease has ended), a bounce, and whether the queue pauses
   * (`afterOutcome`). Does nothing if a later attempt has started or the person was erased.
   */
  recordOutcome(message: ClaimedMessage, outcome: MessageOutcome): Promise<void>;
  /**
   * Changes messages whose lease has ended to `unknown`, because the process that was sending them ended. Returns how
   * many. Deletes the times of mailboxes' messages once they no longer count.
   */
  expireLeases(): Promise<number>;
  /** When the next queued message is due, in epoch milliseconds, or null if none is queued. */
  findNextDue(): Promise<number | null>;
  /**
   * When the next hour's mail quota starts if this hour's is spent, otherwise null. `kind`: whether it is spent for
   * messages of this kind.
   */
  quotaSpentUntil(kind?: MessageKind): Promise<number | null>;
  /**
   * Queues the last message to this address again, regardless of its outcome and not counting campaigns. If the person
   * may no longer receive it, or never had one, queues their first message instead (`chooseResend`). `no-email`: they
   * were imported without one. A bounced person returns to their previous state. Only for an admin's explicit decision.
   */
  resend(email: string): Promise<ResendResult>;
  /** Whether a process is delivering the message of this address right now. */
  isBeingSent(email: string): Promise<boolean>;
  /** Counts messages, or those of one kind, by state. */
  counts(kind?: MessageKind): Promise<ReadonlyMap<MailState, number>>;
  /** Counts messages that are not `sent`, by state. Does not read sent messages. */
  backlog(): Promise<Readonly<Record<Exclude<MailState, 'sent'>, number>>>;
  /** Counts `queued` messages by the reason why they wait. Ignores the quota and a pause of the queue. */
  waiting(): Promise<WaitingMail>;
  /** The pause of the queue, or null unless the mail server rejects messages for a reason on our side. */
  pause(): Promise<MailPause | null>;
  /** The problem that the latest attempts had with the mail server although the queue is not paused, or null. */
  trouble(): Promise<MailTrouble | null>;
  /** Allows the next message to be attempted now. Returns whether the queue was paused. */
  endPause(): Promise<boolean>;
  /** Counts emails to people since `countComplaintsFrom`, and how many of them were reported as spam. */
  complaints(): Promise<ComplaintCounts>;
  /** Every message that is not `sent`, by `filter`, read during iteration. */
  unsent(filter?: UnsentFilter): AsyncIterable<UnsentMail>;
  /**
   * Decides about a message with outcome `unknown`, by its id in `unsent` (`decided`). If it is sent again and belongs
   * to a campaign that is done, the campaign continues and ends once more. Only for an admin's explicit decision.
   */
  decideUnknown(id: string, decision: UnknownDecision): Promise<UnknownDecisionResult>;
}

/** A cursor over due messages, longest due first. Several workers may share it. */
export interface DueMessages {
  /**
   * Marks the next message `sending`, counts the attempt for its mailbox and the hour, and stores the hashes of the
   * attempt's tokens, in one transaction. Exactly one caller gets a message, even if several processes ask. Campaign
   * messages come last. A message to a full mailbox is postponed and does not use the hourly quota. A message to a
   * person who may no longer receive it is deleted. A message of a paused campaign waits.
   *
   * After the queue was paused, only one message is claimed until its outcome is known. After a refusal that may be our
   * problem, messages to other domains come first, as far as they are found at the ends of the queue. A pause caused by
   * one domain does not affect others.
   */
  claimNext(): Promise<Claim>;
}

/**
 * `nothing`: no message is due now. `taken`: another caller has claimed it, or it was erased; call again. `paused`: see
 * `MailPause`.
 */
export type Claim = ClaimedMessage | 'nothing' | 'taken' | 'quota-spent' | 'mailbox-full' | 'paused';

/** A message that only this caller may deliver. */
export interface ClaimedMessage {
  /** Identifies the message in its store. */
  readonly id: string;
  readonly kind: MessageKind;
  readonly email: string;
  /** The values of the host's fields that the email may contain (`emailFields`). Empty for a notice. */
  readonly fields: SignupFields;
  /**
   * The primary language subtag of the person's latest signup, even if it is not confirmed yet. Null if unknown, and
   * for notices.
   */
  readonly language: string | null;
  readonly tokens: MessageTokens;
  /** The admin's text if the message belongs to a campaign; `body` is Markdown. */
  readonly campaign: Pick<CampaignContent, 'subject' | 'body'> | null;
  readonly notice: Notice | null;
  /** The same for every attempt; part of the Message-ID. */
  readonly messageKey: string;
  /** Attempts so far, including this one. */
  readonly attempts: number;
  /** Identifies the attempt, so that a late outcome cannot affect a later attempt. */
  readonly claimToken: string;
}

/**
 * `known`: its outcome is known by now, or it was erased. Not sent again: `not-wanted`, because the person may no
 * longer receive it, or `cancelled`, because its campaign was.
 */
export type UnknownDecisionResult = 'done' | 'known' | 'not-wanted' | 'cancelled';

export type ResendResult = 'queued' | 'being-sent' | 'not-signed-up' | 'unsubscribed' | 'no-email';
