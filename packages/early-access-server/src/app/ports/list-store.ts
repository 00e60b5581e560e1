import type { Attribution, SignupFields } from 'early-access-kit/internal';
import type { PersonHistory, PersonState } from '../lifecycle/states.ts';
import type { LinkPurpose, MessageKind, MessageTokens } from '../mail/message-kinds.ts';
import type { MailState } from '../mail/message-state.ts';
import type { MailEvent, MailReportOrigin } from '../mail-events/mail-event.ts';
import type { LabelChange } from '../people/labels.ts';
import type { PeopleFilter } from '../people/people.ts';
import type { Cause } from '../people/timeline.ts';

/**
 * The part of a store that changes people's states. In one transaction, the store decides each change with `nextState`,
 * queues its message and records its event. Tokens are passed as hashes (`hashToken`); tokens themselves are never
 * stored.
 */
export interface ListStore {
  counts(): Promise<ReadonlyMap<PersonState, number>>;
  /**
   * Confirms the signup that the link was sent to. If `submissionId`, which only the browser that signed up knows,
   * belongs to another signup, returns `other-browser` and changes nothing. The link of a correction replaces the
   * person's address atomically, unless the new address is on the list by then. It also confirms a pending person, and
   * returns a bounced one to their previous state.
   */
  confirm(hash: string, submissionId: string | null): Promise<ConfirmResult>;
  /**
   * Queues a new confirmation or correction email to the address that the link was sent to, however old the link is.
   */
  renewConfirmation(hash: string): Promise<RenewalResult>;
  /**
   * Queues the email chosen by `chooseNewLink` for the person with this normalized address. Returns whether it did;
   * responses must not reveal this, because anyone may ask. The mailbox gets no more than its daily number of emails.
   */
  requestLink(email: string, kinds: readonly MessageKind[]): Promise<boolean>;
  /**
   * Unsubscribes the person and deletes their queued messages. Returns `unsubscribed` if they already were. Counts for
   * the campaign whose email contained the link. `by`: the cause, if it is not the link itself.
   */
  unsubscribe(hash: string, by?: Cause): Promise<'unsubscribed' | 'unknown'>;
  /** Creates the links for an email to the person with this normalized address. Null if they are not on the list. */
  createTokens(email: string): Promise<MessageTokens | null>;
  /**
   * The public id of the person whose status page a link opens (`opensStatus`). For `unsubscribe`, the hash is that of
   * the unsubscribe token in the same email; for `confirm`, that of a link that confirmed their address. Otherwise
   * null. A confirmed correction revokes all earlier links.
   */
  findOwner(hash: string, purpose: Extract<LinkPurpose, 'unsubscribe' | 'confirm'>): Promise<string | null>;
  /**
   * Records a mail provider's report about an address, or a decision by an admin or the person: they become bounced or
   * unsubscribed according to `nextState`. Unsubscribing deletes their queued messages. A spam `report` counts for the
   * campaign it refers to (`CAMPAIGN_REACTIONS`). Repeated calls, and calls for an address that is not on the list,
   * change nothing.
   */
  changePerson(
    email: string,
    event: MailEvent['event'],
    by: Extract<Cause, 'mail-server' | 'admin' | 'person'>,
    report?: MailReportOrigin,
  ): Promise<void>;
  /**
   * Changes the labels of the person with this normalized address. `full`: nothing was changed, because there would be
   * too many.
   */
  changeLabels(email: string, change: LabelChange): Promise<'changed' | 'unchanged' | 'full' | 'gone'>;
  /**
   * Queues an email with a link to this normalized address. If its owner opens the link, the address becomes the
   * person's; until then nothing else changes. Replaces an open correction. `on-list`: the address belongs to this or
   * another person, who may have unsubscribed. `unsubscribed`: the person wants no email. `by`: an admin by default.
   */
  correctAddress(id: string, email: string, by?: Extract<Cause, 'admin' | 'person'>): Promise<CorrectionRequest>;
  /**
   * Queues reminders for signups that have been pending for `REMINDER_AFTER_MS`. Erases those pending for `PENDING_MS`,
   * or unsubscribes them again if they had unsubscribed before. Deletes corrections that have been open for as long. At
   * most `limit` people. Returns how many; 0 when done.
   */
  tidyPending(limit: number): Promise<number>;
  /**
   * Invites people as selected by the wave, in order, in one atomic step. Each is invited once, even under concurrent
   * calls. `outdated`: another wave was started since the admin looked, so nobody was invited. `nobody`: there was
   * nobody to invite.
   */
  invite(wave: NewWave): Promise<InviteWave | 'outdated' | 'nobody'>;
  /** Newest first, with their progress. */
  waves(limit: number): Promise<readonly InviteWave[]>;
  /** Withdraws the wave's invitations that no attempt was made to send. Returns how many. */
  withdraw(waveId: string): Promise<number>;
  /** Returns whether an invitation can be redeemed. Changes nothing. */
  checkInvite(hash: string): Promise<InviteState>;
  /** Exactly one of several racing calls gets the address. */
  redeemInvite(hash: string): Promise<RedeemResult>;
  /**
   * Lets the person with this normalized address into the product if `admission` allows it. They have joined then, as
   * if they had redeemed the link. Recorded once; repeated calls return the same.
   */
  admit(email: string): Promise<AdmitResult>;
  /**
   * Returns bounced people to their previous state, oldest first. Sends no email. Returns how many; chosen people who
   * have not bounced are skipped.
   */
  restoreBounced(who: ChosenPeople): Promise<number>;
  /**
   * Adds people in one transaction, as if they had signed up at `created_at`. People already on the list are not
   * changed, except that an opt-out in the file unsubscribes them (`mayOptOut`). With `welcome`, the first email of
   * each added person is queued. `isByHand`: an admin entered them, and they have not signed up themselves. The record
   * of `import` is stored with the first people it adds.
   */
  importPeople(people: readonly ImportedPerson[], options: ImportOptions): Promise<readonly PersonImport[]>;
  /** The imports that have added people, newest first. */
  imports(limit: number): Promise<readonly ImportRecord[]>;
  /** The people that an import added and who are still on the list, each once, read during iteration. */
  peopleOfImport(id: string): AsyncIterable<ImportedMember>;
}

export const MAX_IMPORT_NAME = 100;

export interface ImportName {
  readonly id: string;
  /** The file's name, at most `MAX_IMPORT_NAME` characters. Empty if unknown. */
  readonly name: string;
}

export interface ImportRecord extends ImportName {
  readonly created_at: number;
  /** How many people it added, and how many of them are still on the list. */
  readonly added: number;
  readonly people: number;
}

/** A person who was added by an import. */
export interface ImportedMember {
  /** Normalized. */
  readonly email: string;
  /** As decided by `mayWithdraw`. */
  readonly isWithdrawable: boolean;
}

export interface ImportOptions {
  readonly welcome: boolean;
  readonly isByHand?: boolean;
  /** The import that adds them, or undefined. */
  readonly import?: ImportName;
}

export type CorrectionRequest = 'queued' | 'gone' | 'unsubscribed' | 'on-list';

export type PersonImport = 'added' | 'duplicate' | 'unsubscribed';

export type ConfirmResult = 'confirmed' | 'already-confirmed' | 'expired' | 'other-browser' | 'unknown';

export type RenewalResult = 'queued' | 'not-pending' | 'unknown';

/** `gone`: the person unsubscribed or was erased, or the invitation was withdrawn. */
export type InviteState = 'valid' | 'used' | 'expired' | 'gone' | 'unknown';

/** The result of redeeming an invitation: who joined, or why nobody did. */
export type RedeemResult =
  | { readonly result: 'redeemed'; readonly email: string; readonly id: string }
  | { readonly result: Exclude<InviteState, 'valid'> };

/** Whether a person may create an account in the product. */
export type AdmitResult =
  | { readonly result: 'admitted'; readonly id: string }
  | { readonly result: Exclude<InviteState, 'valid'> };

/**
 * `date`: the earliest signups first. `place`: the same, but each counted referral moves a person one day ahead.
 * `referrals`: the most referrals first. Ties are ordered by signup.
 */
export const INVITE_ORDERS = ['date', 'place', 'referrals'] as const;
export type InviteOrder = (typeof INVITE_ORDERS)[number];

/** The first `count` matching people in this order (default: `date`), or exactly the people in `ids`. */
export type ChosenPeople =
  | { readonly count: number; readonly filter: PeopleFilter; readonly order?: InviteOrder }
  | { readonly ids: readonly string[] };

/** Selects the people to invite. Only `subscribed` people are invited. */
export interface NewWave {
  /** The newest wave that the admin has seen, or null if there was none. */
  readonly after: string | null;
  readonly who: ChosenPeople;
  /** The wave to add them to. Left out: a new wave. */
  readonly into?: string;
}

/** An invite wave. Times are epoch milliseconds. */
export interface InviteWave {
  readonly id: string;
  readonly created_at: number;
  readonly people: number;
  /**
   * Counts of the wave's emails that were sent, are not sent yet, and failed; and of people who have joined. Erased
   * people are in none of them.
   */
  readonly sent: number;
  readonly queued: number;
  readonly failed: number;
  readonly joined: number;
}

/** A person from a file, validated and normalized. */
export interface ImportedPerson extends Attribution, Partial<PersonHistory> {
  readonly email: string;
  readonly source: string;
  readonly created_at: number;
  readonly state: PersonState;
  /** The values of the host's own fields. Left out if there are none. */
  readonly fields?: SignupFields;
  readonly session_id?: string | null;
  readonly referrer?: string | null;
  readonly language?: string | null;
  readonly labels?: readonly string[];
  /**
   * The state of their last email, not counting campaigns. Only people with no email, or with a queued one, may be sent
   * one.
   */
  readonly mail_state?: MailState | null;
}
