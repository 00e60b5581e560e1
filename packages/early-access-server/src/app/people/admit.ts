import { hashToken, isToken } from '../access/secrets.ts';
import type { AdmitResult, ListStore } from '../ports/list-store.ts';

/** A person who wants to create an account in the product. */
export interface Applicant {
  /** Their normalized address; null if they have no valid one. */
  readonly email: string | null;
  /** The token of an invitation, if they have one. */
  readonly token?: string | undefined;
}

/**
 * Decides, for every kind of gate, whether a person may create an account: their address is invited, or they have an
 * invitation. It may have been sent to another address, and is used up.
 */
export async function admit(
  list: Pick<ListStore, 'admit' | 'redeemInvite'>,
  { email, token }: Applicant,
): Promise<AdmitResult> {
  const byAddress: AdmitResult = email === null ? { result: 'unknown' } : await list.admit(email);
  if (byAddress.result === 'admitted' || !isToken(token)) return byAddress;
  const byLink = await list.redeemInvite(hashToken(token));
  if (byLink.result === 'redeemed') return { result: 'admitted', id: byLink.id };
  return byLink.result === 'unknown' ? byAddress : byLink;
}
