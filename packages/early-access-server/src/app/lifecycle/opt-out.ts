import type { EmailSignup } from 'early-access-kit/core';
import { normalizeMailbox } from './mailbox.ts';
import { hasConfirmedSince, type ListedPerson, mayOptOut, type PersonHistory, type PersonState } from './states.ts';

/** The fields of a person that determine whether they have opted out. */
export type OptOut = Pick<PersonHistory, 'confirmed_at' | 'unsubscribed_at'> & { readonly state: PersonState };

/**
 * Returns whether the person has opted out and not confirmed a signup since. An opt-out applies to every spelling of
 * the mailbox.
 */
export function isOptedOut({ state, confirmed_at, unsubscribed_at }: OptOut): boolean {
  return state === 'unsubscribed' || (unsubscribed_at !== null && !hasConfirmedSince(confirmed_at, unsubscribed_at));
}

/** The person with this address, or one who opted out with another spelling of its mailbox. Undefined if none. */
export function findListed(email: string, listed: ReadonlyMap<string, ListedPerson>): ListedPerson | undefined {
  const mailbox = normalizeMailbox(email);
  return (
    listed.get(email) ??
    [...listed].find(([other, person]) => isOptedOut(person) && normalizeMailbox(other) === mailbox)?.[1]
  );
}

/**
 * The data of a new signup by an unsubscribed person. It replaces theirs once it is confirmed; until then someone else
 * may have entered it. People are counted once, so the other data of the first signup remains.
 */
export interface EnteredSignup extends Pick<EmailSignup, 'submission_id' | 'fields' | 'page_url'> {
  readonly language: string | null;
  /**
   * The code of the share link that the browser was shown, if it has requested one. The link leads nowhere until the
   * signup is confirmed.
   */
  readonly share_code?: string | null;
}

export function enteredSignup(
  { submission_id, fields, page_url }: EmailSignup,
  language: string | null = null,
): EnteredSignup {
  return { submission_id, ...(fields && { fields }), ...(page_url !== undefined && { page_url }), language };
}

type Imported = Partial<Pick<PersonHistory, 'confirmed_at' | 'unsubscribed_at'>> & {
  readonly email: string;
  readonly state: PersonState;
};

/**
 * Plans what an import does with each person. `listed` contains the people on the list with one of these mailboxes, by
 * address. An opt-out, in the file or on the list, applies to the mailbox of everyone who has not confirmed since.
 * `optedOut` are the people on the list whom the file unsubscribes.
 */
export function planImport<Listed extends ListedPerson>(
  people: readonly Imported[],
  listed: ReadonlyMap<string, Listed>,
): { readonly results: readonly ('added' | 'duplicate' | 'unsubscribed')[]; readonly optedOut: readonly Listed[] } {
  const ofMailbox = Map.groupBy(listed, ([email]) => normalizeMailbox(email));
  const leaving = Map.groupBy(
    people.filter(({ state }) => state === 'unsubscribed'),
    ({ email }) => normalizeMailbox(email),
  );
  const added = new Set<string>();
  const optedOut = new Map<string, Listed>();
  const results = people.map((person) => {
    const { email, state, confirmed_at = null } = person;
    const mailbox = normalizeMailbox(email);
    const sameMailbox = ofMailbox.get(mailbox) ?? [];
    const known = listed.get(email);
    const isUnsubscribed = known !== undefined && !optedOut.has(email) && mayOptOut(known, person);
    for (const [address, other] of sameMailbox) if (mayOptOut(other, person)) optedOut.set(address, other);
    if (known !== undefined || added.has(email)) return isUnsubscribed ? 'unsubscribed' : 'duplicate';
    const optOuts = [...sameMailbox.map(([, other]) => other).filter(isOptedOut), ...(leaving.get(mailbox) ?? [])];
    const holds = optOuts.some(({ unsubscribed_at = null }) => !hasConfirmedSince(confirmed_at, unsubscribed_at));
    if (state !== 'unsubscribed' && holds) return 'duplicate';
    added.add(email);
    return 'added';
  });
  return { results, optedOut: [...optedOut.values()] };
}
