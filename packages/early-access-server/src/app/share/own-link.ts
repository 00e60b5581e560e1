import type { EnteredSignup } from '../lifecycle/opt-out.ts';
import type { PersonState } from '../lifecycle/states.ts';
import type { OwnLink } from '../ports/share-store.ts';

/** A link whose code is created on first use. */
export type StoredLink = Omit<OwnLink, 'code'> & { readonly code: string | null };

/** The fields of a person that determine their link. */
export interface Sharer {
  readonly link: StoredLink;
  readonly submissionId: string;
  readonly state: PersonState;
  readonly bouncedFrom: PersonState | null;
  readonly entered: EnteredSignup | null;
}

/**
 * Returns the link for the browser with this `submission_id`, or for the person if it is null. Null if the browser did
 * not make their signup. An unconfirmed signup may be someone else's, so its link shows no figures. If the person had
 * opted out before, that signup gets its own code, so that its link looks like any other.
 */
export function chooseLink({ link, ...person }: Sharer, submissionId: string | null): StoredLink | null {
  const { entered } = person;
  if (submissionId === null) return link;
  const waiting = { page: link.page, code: link.code, confirmed: 0, held: 0 };
  if (isEntered(person, submissionId)) {
    return { ...waiting, page: entered?.page_url ?? null, code: entered?.share_code ?? null };
  }
  if (person.submissionId !== submissionId) return null;
  return entered === null && [person.state, person.bouncedFrom].includes('pending') ? waiting : link;
}

/** Returns whether this is the unconfirmed signup of a person who had opted out. */
export function isEntered({ entered }: Pick<Sharer, 'entered'>, submissionId: string | null): boolean {
  return entered !== null && entered.submission_id === submissionId;
}
