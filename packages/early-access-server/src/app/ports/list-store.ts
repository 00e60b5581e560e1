import type { Attribution, SignupFields } from 'early-access-kit/internal';
import type { PersonHistory, PersonState } from '../lifecycle/states.ts';
import type { LinkPurpose, MessageKind, MessageTokens } from '../mail/message-kinds.ts';
import type { MailState } from '../mail/message-state.ts';
import type { MailEvent, MailReportOrigin } from '../mail-events/mail-event.ts';
import type { LabelChange } from '../people/labels.ts';
import type { PeopleFilter } from '../people/people.ts';
import type { Cause } from '../people/timeline.ts';

/**
 * The part of a store that moves people through the list. Every change is decided by `nextState` inside the store's
 * transaction, together with the message that it queues and the event that it records. Tokens arrive hashed
 * (`hashToken`); no token is ever stored.
 */
export interface ListStore {
  counts(): Promise<ReadonlyMap<PersonState, number>>;
  /**
   * Confirms the signup that the link was sent to. With `submissionId`, which only the browser that signed up knows,
   * confirms only if it is that signup's, and answers `other-browser` otherwise. The link of a correction makes its
   * address the person's, in one atomic step, unless the address is on the list by then; a pending person is confirmed
   * by it, and a bounced one returns to their state before.
   */
  confirm(hash: string, submissionId: string | null): Promise<ConfirmResult>;
  /** Queues a new confirmation email, or correction, for the address that the link was sent to, however old it is. */
  renewConfirmation(hash: string): Promise<RenewalResult>;
  /**
   * Queues the email of `chooseNewLink` to the person with this normalized address. Returns whether it did, which no
   * response may depend on: anyone can ask. The mailbox gets no more than its daily number of emails.
   */
  requestLink(email: string, kinds: readonly MessageKind[]): Promise<boolean>;
  /**
   * Unsubscribes the person, and drops what is queued for them. `unsubscribed` again if they are already. The campaign
   * of the link's email counts it. `by`: who did it, if not the link itself.
   */
  unsubscribe(hash: string, by?: Cause): Promise<'unsubscribed' | 'unknown'>;
  /** Makes the links of an email to the person with this normalized address. Null if they are not on the list. */
  createTokens(email: string): Promise<MessageTokens | null>;
  /**
   * The public id of the person whose status page a link opens (`opensStatus`): `unsubscribe`, by the hash of the token
   * to unsubscribe in the same email; `confirm`, by a link that has confirmed their address. Null for any other. A
   * confirmed correction revokes all links before it.
   */
  findOwner(hash: string, purpose: Extract<LinkPurpose, 'unsubscribe' | 'confirm'>): Promise<string | null>;
  /**
   * Records what a mail provider reports about an address, or an admin or the person decides: the person is bounced or
   * unsubscribed, as `nextState` says, and what is queued for a person who unsubscribes is dropped. The campaign that a
   * provider's `report` of spam is about counts it (`CAMPAIGN_REACTIONS`). Repeated, or for an address that is not on
   * the list, it changes nothing.
   */
  changePerson(
    email: string,
    event: MailEvent['event'],
    by: Extract<Cause, 'mail-server' | 'admin' | 'person'>,
    report?: MailReportOrigin,
  ): Promise<void>;
  /** Changes the labels of the person with this normalized address. `full`: nothing, as there would be too many. */
  changeLabels(email: string, change: LabelChange): Promise<'changed' | 'unchanged' | 'full' | 'gone'>;
  /**
   * Queues an email to this normalized address, whose owner can make it the person's by its link. Until then nothing
   * else changes. It replaces a correction that is still open. `on-list`: the address is a person's, this one's or
   * another's, who may have unsubscribed. `unsubscribed`: the person wants no email. `by`: an admin unless given.
   */
  correctAddress(id: string, email: string, by?: Extract<Cause, 'admin' | 'person'>): Promise<CorrectionRequest>;
  /**
   * Queues the reminders of signups that have been pending for `REMINDER_AFTER_MS`. Erases those pending for
   * `PENDING_MS`, or unsubscribes them again if they had unsubscribed before. Drops corrections that have been open as
   * long. At most `limit` people. Returns how many; 0 when done.
   */
  tidyPending(limit: number): Promise<number>;
  /**
   * Invites people of the wave, in its order, in one atomic step: each is invited once, even if several callers ask.
   * `outdated`: another wave was started since the admin looked, so no one is invited. `nobody`: there is no one to
   * invite.
   */
  invite(wave: NewWave): Promise<InviteWave | 'outdated' | 'nobody'>;
  /** The newest waves first, with their progress. */
  waves(limit: number): Promise<readonly InviteWave[]>;
  /** Takes back the invitations of a wave that no attempt was made to send. Returns how many. */
  withdraw(waveId: string): Promise<number>;
  /** Whether an invitation can be redeemed. Changes nothing. */
  checkInvite(hash: string): Promise<InviteState>;
  /** Exactly one of racing calls gets the address. */
  redeemInvite(hash: string): Promise<RedeemResult>;
  /**
   * Lets the person with this normalized address into the product, if `admission` says so: then they have joined, as if
   * they had redeemed the link. Records it once; a repeated call returns the same.
   */
  admit(email: string): Promise<AdmitResult>;
  /**
   * Returns people whose address bounced to their state before, the oldest first. Sends them nothing. Returns how many;
   * others who were chosen have not bounced.
   */
  restoreBounced(who: ChosenPeople): Promise<number>;
  /**
   * Adds people in one transaction, as if they had signed up at `created_at`. A person on the list is not changed,
   * except that an opt-out of the file unsubscribes them (`mayOptOut`). With `welcome`, the first email of the people
   * added is queued. `isByHand`: an admin has entered them, and they have not signed up. The record of `import` is
   * stored with the first people whom it adds.
   */
  importPeople(people: readonly ImportedPerson[], options: ImportOptions): Promise<readonly PersonImport[]>;
  /** The imports that have added people, the newest first. */
  imports(limit: number): Promise<readonly ImportRecord[]>;
  /** The people whom an import has added and who are on the list, each once, read while you iterate. */
  peopleOfImport(id: string): AsyncIterable<ImportedMember>;
}

export const MAX_IMPORT_NAME = 100;

/** An import of a file. */
export interface ImportName {
  readonly id: string;
  /** The name of the file, at most `MAX_IMPORT_NAME` characters. Empty: not known. */
  readonly name: string;
}

export interface ImportRecord extends ImportName {
  readonly created_at: number;
  /** How many people it has added, and how many of them are on the list. */
  readonly added: number;
  readonly people: number;
}

/** A person of an import. */
export interface ImportedMember {
  /** Normalized. */
  readonly email: string;
  /** As `mayWithdraw` says. */
  readonly isWithdrawable: boolean;
}

export interface ImportOptions {
  readonly welcome: boolean;
  readonly isByHand?: boolean;
  /** The import that adds them; undefined for none. */
  readonly import?: ImportName;
}

export type CorrectionRequest = 'queued' | 'gone' | 'unsubscribed' | 'on-list';

export type PersonImport = 'added' | 'duplicate' | 'unsubscribed';

export type ConfirmResult = 'confirmed' | 'already-confirmed' | 'expired' | 'other-browser' | 'unknown';

export type RenewalResult = 'queued' | 'not-pending' | 'unknown';

/** `gone`: the person unsubscribed or was erased, or the invitation was taken back. */
export type InviteState = 'valid' | 'used' | 'expired' | 'gone' | 'unknown';

/** The result of redeeming an invitation: who has joined, or why nobody has. */
export type RedeemResult =
  | { readonly result: 'redeemed'; readonly email: string; readonly id: string }
  | { readonly result: Exclude<InviteState, 'valid'> };

/** Whether a person may sign up in the product. */
export type AdmitResult =
  | { readonly result: 'admitted'; readonly id: string }
  | { readonly result: Exclude<InviteState, 'valid'> };

/**
 * `date`: the earliest signups first. `place`: the same, but each person whom someone brought moves them a day ahead.
 * `referrals`: those who brought the most people first. Equal people are in the order of their signup.
 */
export const INVITE_ORDERS = ['date', 'place', 'referrals'] as const;
export type InviteOrder = (typeof INVITE_ORDERS)[number];

/** The first `count` people who match in this order, by default `date`, or exactly the people in `ids`. */
export type ChosenPeople =
  | { readonly count: number; readonly filter: PeopleFilter; readonly order?: InviteOrder }
  | { readonly ids: readonly string[] };

/** Selects the people to invite. Only people who are `subscribed` are invited. */
export interface NewWave {
  /** The newest wave that the admin has seen; null if there was none. */
  readonly after: string | null;
  readonly who: ChosenPeople;
  /** The wave that they join. Left out: a new one. */
  readonly into?: string;
}

/** An invite wave. Times are epoch milliseconds. */
export interface InviteWave {
  readonly id: string;
  readonly created_at: number;
  /** People invited. */
  readonly people: number;
  /**
   * Counts the wave's emails that are sent, not sent yet, and not sendable; and people who have joined. Erased people
   * count in none.
   */
  readonly sent: number;
  readonly queued: number;
  readonly failed: number;
  readonly joined: number;
}

/** A person from a file, valid and normalised. */
export interface ImportedPerson extends Attribution, Partial<PersonHistory> {
  readonly email: string;
  readonly source: string;
  readonly created_at: number;
  readonly state: PersonState;
  /** The values of the host's own fields; left out if there are none. */
  readonly fields?: SignupFields;
  readonly session_id?: string | null;
  readonly referrer?: string | null;
  readonly language?: string | null;
  readonly labels?: readonly string[];
  /**
   * The state of their last email apart from campaigns. Only people without an email, or whose email was queued, may
   * get one.
   */
  readonly mail_state?: MailState | null;
}
