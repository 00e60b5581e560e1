import { DAY_MS } from 'early-access-kit/internal';
import { maySignUpAgain, nextState, type PersonState } from '../lifecycle/states.ts';

/**
 * The kinds of messages in the queue. `welcome` and `confirmation`: the first message after a signup, the latter if it
 * has to be confirmed. `reminder`: repeats the confirmation. `correction`: to an address that was entered to replace
 * the person's. `status`: the link to the status page, on request. `campaign`: an email by the admin to many people.
 * `notice`: to an admin.
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

/** The states in which people may receive a message of this kind. Notices only go to admins. */
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

/** The first message to a new person in this state, or null. */
export function chooseFirstMessage(state: PersonState): 'confirmation' | 'welcome' | null {
  if (state === 'pending') return 'confirmation';
  return state === 'subscribed' ? 'welcome' : null;
}

export function mayReceive(state: PersonState, kind: MessageKind): boolean {
  return RECIPIENTS[kind].includes(state);
}

/** Emails that are not part of a person's main sequence. "Send again" ignores them. */
export const SIDE_KINDS = ['correction', 'status'] as const satisfies readonly MessageKind[];

/** Pages that send a new link if the link that was opened has lost its token. The visitor enters their address. */
export const NEW_LINK_PAGES = ['confirm', 'status', 'invite'] as const;
export type NewLinkPage = (typeof NEW_LINK_PAGES)[number];

const KIND_OF_PAGE = { confirm: 'confirmation', status: 'status', invite: 'invite' } as const satisfies Record<
  NewLinkPage,
  MessageKind
>;

/**
 * The emails that a page may send to an address, best first: its own email, or else one about the person's current
 * state. Unsubscribed people get none. `statusPage`: whether there are status pages.
 */
export function listNewLinks(page: NewLinkPage, statusPage: boolean): readonly MessageKind[] {
  const kinds = [KIND_OF_PAGE[page], 'confirmation', 'status'] as const;
  return kinds.filter((kind) => statusPage || kind !== 'status');
}

/**
 * The first of these emails that the person may receive. Null if there is none, or if one with the same link is already
 * waiting.
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

/** The fields of a person that determine what is sent again. */
export interface ResendRecipient {
  readonly state: PersonState;
  /** The state before the address bounced, which sending again restores. */
  readonly bouncedFrom: PersonState | null;
  readonly isImported: boolean;
}

/**
 * The message that "Send again" sends: the person's last message, or the first message for their state if the last one
 * no longer applies (such as a used confirmation) or if they had none because welcome emails were off. Null if nothing
 * may be sent: they have unsubscribed, or were imported without a message and have not asked for one.
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
 * The purpose of a link in an email. Every email to a person has an `unsubscribe` link, except for a `correction`,
 * whose address may belong to someone else.
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

/** Created per attempt; only their hashes are stored. Null if the message has no such link. */
export interface MessageTokens {
  /** The token of the message's main link. */
  readonly link: string | null;
  /** The token of the status page. Only the unsubscribe token, which is derived from it, is stored. */
  readonly status: string | null;
  readonly unsubscribe: string | null;
}

/**
 * How long the links of an email work, from the attempt to send it. Unsubscribe links work until the person is erased.
 */
export const CONFIRM_LINK_MS = 7 * DAY_MS;
export const INVITE_LINK_MS = 14 * DAY_MS;

/** When a link expires, in epoch milliseconds. */
export function linkExpiry(purpose: LinkPurpose, now: number): number {
  if (purpose === 'unsubscribe') return Number.MAX_SAFE_INTEGER;
  return now + (purpose === 'invite' ? INVITE_LINK_MS : CONFIRM_LINK_MS);
}
