import type { Attribution, SignupFields } from 'early-access-kit/internal';
import type { PersonHistory, PersonState } from '../lifecycle/states.ts';
import type { MailState } from '../mail/message-state.ts';
import type { ImportedPerson } from '../ports/list-store.ts';

/**
 * A person in a line of an imported file, validated and normalized. Null: the file does not say. Times are epoch
 * milliseconds.
 */
export interface PersonRow extends PersonHistory {
  readonly email: string;
  readonly state: PersonState;
  /** If the file has no signup date, the earliest known time. */
  readonly created_at: number;
  readonly source: string;
  readonly session_id: string | null;
  readonly referrer: string | null;
  /** The page of the signup, and its campaign. */
  readonly attribution: Attribution;
  /** The values of the host's own fields; left out if there are none. */
  readonly fields?: SignupFields;
  /** The primary language subtag, such as `pt`. */
  readonly language: string | null;
  /** Left out if there are none. */
  readonly labels?: readonly string[];
  /** The state of their last email, not counting campaigns. */
  readonly mail_state: MailState | null;
}

export function toImportedPerson({ attribution, ...person }: PersonRow): ImportedPerson {
  return { ...attribution, ...person };
}
