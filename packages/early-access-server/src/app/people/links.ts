import { hashToken, newToken, toUnsubscribeToken } from '../access/secrets.ts';
import { nextState, type PersonState } from '../lifecycle/states.ts';
import {
  type LinkPurpose,
  linkExpiry,
  listLinks,
  type MessageKind,
  type MessageTokens,
  mayReceive,
} from '../mail/message-kinds.ts';
import type { AdmitResult, ConfirmResult, InviteState, RenewalResult } from '../ports/list-store.ts';

/**
 * The token in previews, and in test emails to an admin who is not on the list. Unsubscribing with it reports success
 * and changes nothing.
 */
export const TEST_TOKEN = 'test-email'.padEnd(43, '-');
export const TEST_TOKENS: MessageTokens = { link: null, status: TEST_TOKEN, unsubscribe: TEST_TOKEN };

export interface StoredLink {
  readonly purpose: LinkPurpose;
  readonly kind: MessageKind;
  readonly isUsed: boolean;
  /** In epoch milliseconds. */
  readonly expiresAt: number;
}

interface LinkOwner {
  readonly state: PersonState;
  readonly submissionId: string;
}

/**
 * The result of opening a link that confirms a signup or a correction. `submission_id` is the one that the browser
 * knows, if any. Only `confirmed` changes anything.
 */
export function confirmResult(
  link: StoredLink | null,
  person: LinkOwner | null,
  submissionId: string | null,
  now: number,
): ConfirmResult {
  if (link === null || person === null) return 'unknown';
  if (link.isUsed) return 'already-confirmed';
  if (now >= link.expiresAt) return 'expired';
  if (submissionId !== null && submissionId !== person.submissionId) return 'other-browser';
  if (link.purpose === 'correct') return mayReceive(person.state, 'correction') ? 'confirmed' : 'unknown';
  return nextState(person.state, 'confirm') === null ? 'unknown' : 'confirmed';
}

/**
 * Whether a person gets a new confirmation email. For `queued`, the store queues one unless a message to them is
 * already waiting.
 */
export function renewalResult(link: StoredLink | null, person: Pick<LinkOwner, 'state'> | null): RenewalResult {
  if (link === null || person === null) return 'unknown';
  const kind = link.purpose === 'correct' ? 'correction' : 'confirmation';
  return !link.isUsed && mayReceive(person.state, kind) ? 'queued' : 'not-pending';
}

export function inviteState(
  link: StoredLink | null,
  person: Pick<LinkOwner, 'state'> | null,
  now: number,
): InviteState {
  if (link === null || person === null) return 'unknown';
  if (link.isUsed) return 'used';
  if (nextState(person.state, 'redeem') === null) return 'gone';
  return now < link.expiresAt ? 'valid' : 'expired';
}

/**
 * Whether the person with an address may create an account in the product, by their latest invitation. People who have
 * joined may do so again, because their first account may not have been saved. `unknown`: not on the list, or not
 * invited yet.
 */
export function admission(
  person: { readonly state: PersonState; readonly invited_at: number | null } | null,
  latestExpiry: number | null,
  now: number,
): AdmitResult['result'] {
  if (person === null) return 'unknown';
  const { state, invited_at } = person;
  if (state === 'joined') return 'admitted';
  const mayBeInvited = state === 'pending' || nextState(state, 'invite') !== null;
  if (nextState(state, 'redeem') === null) return mayBeInvited ? 'unknown' : 'gone';
  // The email with the link may not have been sent yet, or the link may have been deleted.
  const expiry = latestExpiry ?? (invited_at === null ? 0 : linkExpiry('invite', invited_at));
  return now < expiry ? 'admitted' : 'expired';
}

/**
 * Returns whether a link opens the status page: a status page link, or a link that has confirmed the address. Links
 * from before a correction do not.
 */
export function opensStatus({ purpose, isUsed, expiresAt }: StoredLink, now: number): boolean {
  return now < expiresAt && (purpose === 'unsubscribe' || isUsed);
}

/** The tokens for an attempt to send a message. Null if the message has no such link. */
export function newTokens(kind: MessageKind): MessageTokens {
  const purposes = listLinks(kind);
  const status = purposes.includes('unsubscribe') ? newToken() : null;
  return {
    link: purposes.some((purpose) => purpose !== 'unsubscribe') ? newToken() : null,
    status,
    unsubscribe: status && toUnsubscribeToken(status),
  };
}

/** The part of an attempt's tokens that a store saves. */
export function linksToStore(
  { link, unsubscribe }: Pick<MessageTokens, 'link' | 'unsubscribe'>,
  kind: MessageKind,
  now: number,
): readonly { readonly hash: string; readonly purpose: LinkPurpose; readonly expiresAt: number }[] {
  return listLinks(kind).flatMap((purpose) => {
    const token = purpose === 'unsubscribe' ? unsubscribe : link;
    return token === null ? [] : [{ hash: hashToken(token), purpose, expiresAt: linkExpiry(purpose, now) }];
  });
}
