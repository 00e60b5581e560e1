import { DAY_MS } from 'early-access-kit/internal';
import { maySignUpAgain, nextState, type PersonState } from '../lifecycle/states.ts';

/**
 * The subjects of the messages in the queue. `welcome` and `confirmation`: the first message of a signup, the latter if
 * it has to be confirmed. `reminder`: the confirmation once more. `correction`: to an address that was entered instead
 * of theirs. `status`: the link to their status page, which they asked for. `campaign`: an email that the admin wrote
 * to many. `notice`: to an admin.
 */
export const MESSAGE_KINDS = [
  'welcome',
  'confirmation',
  'reminder',
  'correction',
  'invite',
  'status',
  'campaign',
  'notice',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Whom a message of this kind may be sent to. In any other state it is not sent. Notices go to admins. */
const RECIPIENTS: Readonly<Record<MessageKind, readonly PersonState[]>> = {
  welcome: ['subscribed', 'invited', 'joined'],
  confirmation: ['pending'],
  reminder: ['pending'],
  correction: ['pending', 'subscribed', 'invited', 'joined', 'bounced'],
  invite: ['invited'],
  status: ['subscribed', 'invited', 'joined'],
  campaign: ['subscribed', 'invited', 'joined'],
  notice: [],
};

/** The first message of a new person in this state; null if they get none. */
export function chooseFirstMessage(state: PersonState): 'confirmation' | 'welcome' | null {
  if (state === 'pending') return 'confirmation';
  return state === 'subscribed' ? 'welcome' : null;
}

export function mayReceive(state: PersonState, kind: MessageKind): boolean {
  return RECIPIENTS[kind].includes(state);
}

/** The emails that are beside a person's other ones: an admin who sends again does not mean them. */
export const SIDE_KINDS = ['correction', 'status'] as const satisfies readonly MessageKind[];

/**
 * The pages that send a new link to the address that a person enters, because the link that they opened has lost its
 * token.
 */
export const NEW_LINK_PAGES = ['confirm', 'status', 'invite'] as const;
export type NewLinkPage = (typeof NEW_LINK_PAGES)[number];

const KIND_OF_PAGE = { confirm: 'confirmation', status: 'status', invite: 'invite' } as const satisfies Record<
  NewLinkPage,
  MessageKind
>;

/**
 * The emails that a page may send to an address, the best first: its own, or else the one that says how it is. People
 * who have unsubscribed get none. `statusPage`: whether there are status pages.
 */
export function listNewLinks(page: NewLinkPage, statusPage: boolean): readonly MessageKind[] {
  const kinds = [KIND_OF_PAGE[page], 'confirmation', 'status'] as const;
  return kinds.filter((kind) => statusPage || kind !== 'status');
}

/**
 * The first of these emails that the person may receive. Null: none, or one with the same link waits for them already.
 */
export function chooseNewLink(
  kinds: readonly MessageKind[],
  state: PersonState,
  waiting: readonly MessageKind[],
): MessageKind | null {
  const kind = kinds.find((candidate) => mayReceive(state, candidate)) ?? null;
  const isWaiting = waiting.some((queued) => queued === kind || (queued === 'reminder' && kind === 'confirmation'));
  return isWaiting ? null : kind;
}

/** The part of a person that decides about sending again. */
export interface ResendRecipient {
  readonly state: PersonState;
  /** Their state before the address bounced, to which sending again returns them. */
  readonly bouncedFrom: PersonState | null;
  readonly isImported: boolean;
}

/**
 * The message that a person gets if an admin sends again: their last message, or the first of all if the last no longer
 * applies to them, such as a confirmation that was used, or if they had none because welcome emails were off. Null if
 * they get none: they have unsubscribed, or were imported without a message, which is not sent unasked.
 */
export function chooseResend(
  last: MessageKind | null,
  { state, bouncedFrom, isImported }: ResendRecipient,
): MessageKind | null {
  if (maySignUpAgain(state) || (last === null && isImported)) return null;
  const current = nextState(state, 'retry', bouncedFrom) ?? state;
  if (last !== null && mayReceive(current, last)) return last;
  return chooseFirstMessage(current) ?? 'welcome';
}

/**
 * The purpose of a link in an email. Every email to a person has an `unsubscribe` link, except a `correction`: its
 * address may be another person's.
 */
export const LINK_PURPOSES = ['confirm', 'correct', 'invite', 'unsubscribe'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** The links of a message to a person. */
export function listLinks(kind: MessageKind): readonly LinkPurpose[] {
  switch (kind) {
    case 'notice':
      return [];
    case 'confirmation':
    case 'reminder':
      return ['confirm', 'unsubscribe'];
    case 'correction':
      return ['correct'];
    case 'invite':
      return ['invite', 'unsubscribe'];
    default:
      return ['unsubscribe'];
  }
}

/** Made for one attempt; only their hashes are stored. Null if the message has no such link. */
export interface MessageTokens {
  /** The token of the link that the message is about. */
  readonly link: string | null;
  /** The token of the status page. Only the token to unsubscribe, which is derived from it, is stored. */
  readonly status: string | null;
  readonly unsubscribe: string | null;
}

/**
 * How long the links of an email work, counted from the attempt to send it. An unsubscribe link works as long as the
 * signup is stored.
 */
export const CONFIRM_LINK_MS = 7 * DAY_MS;
export const INVITE_LINK_MS = 14 * DAY_MS;

/** When a link stops working, in epoch milliseconds. */
export function linkExpiry(purpose: LinkPurpose, now: number): number {
  if (purpose === 'unsubscribe') return Number.MAX_SAFE_INTEGER;
  return now + (purpose === 'invite' ? INVITE_LINK_MS : CONFIRM_LINK_MS);
}
