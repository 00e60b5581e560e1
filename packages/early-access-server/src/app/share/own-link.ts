import type { EnteredSignup } from '../lifecycle/opt-out.ts';
import type { PersonState } from '../lifecycle/states.ts';
import type { OwnLink } from '../ports/share-store.ts';

/** A link whose code is made when it is first asked for. */
export type StoredLink = Omit<OwnLink, 'code'> & { readonly code: string | null };

/** A person as far as their own links are concerned. */
export interface Sharer {
  readonly link: StoredLink;
  readonly submissionId: string;
  readonly state: PersonState;
  readonly bouncedFrom: PersonState | null;
  readonly entered: EnteredSignup | null;
}

/**
 * The link that the browser with this `submission_id` sees, or the person without one; null if the browser has no
 * signup of theirs. A signup that waits to be confirmed may be a stranger's, so its link shows no figures. If the
 * person has opted out before, it has a code of its own, and looks like anyone else's.
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

/** Whether it is the signup of a person who has opted out, which waits. */
export function isEntered({ entered }: Pick<Sharer, 'entered'>, submissionId: string | null): boolean {
  return entered !== null && entered.submission_id === submissionId;
}
