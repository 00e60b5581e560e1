import { hashToken, isToken } from '../access/secrets.ts';
import type { AdmitResult, ListStore } from '../ports/list-store.ts';

/** Who wants to sign up in the product. */
export interface Applicant {
  /** Their normalized address; null if they have none that is valid. */
  readonly email: string | null;
  /** The token of an invitation, if they have one. */
  readonly token?: string | undefined;
}

/**
 * The one decision of every gate: a person may sign up if their address is invited, or if they bring an invitation,
 * which may have been sent to another address and is used up by this.
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
