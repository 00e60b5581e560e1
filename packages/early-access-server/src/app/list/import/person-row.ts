import { ATTRIBUTION_FIELDS, type Attribution, type SignupFields } from 'early-access-kit/core';
import type { MailState } from '../../mail/message-state.ts';
import type { ImportedPerson } from '../../ports/list-store.ts';
import type { PersonState } from '../states.ts';
import type { ColumnUse } from './columns.ts';

/** A person as a line of an imported file describes them, valid and normalized. Null: the file does not say. Times are epoch milliseconds. */
export interface PersonRow {
  readonly email: string;
  readonly state: PersonState;
  /** The earliest known time if the file does not say. */
  readonly created_at: number;
  readonly confirmed_at: number | null;
  readonly unsubscribed_at: number | null;
  readonly bounced_at: number | null;
  readonly invited_at: number | null;
  readonly joined_at: number | null;
  readonly source: string;
  readonly session_id: string | null;
  readonly referrer: string | null;
  /** The page of the signup and its campaign. */
  readonly attribution: Attribution;
  /** The values of the host's own fields; left out if there are none. */
  readonly fields?: SignupFields;
  /** The words they agreed to, and the address of the page that showed them. */
  readonly consent_text: string | null;
  readonly consent_page: string | null;
  /** The state of their last email apart from campaigns. */
  readonly mail_state: MailState | null;
}

/** Stores have no place for these, so reports name their columns as ignored. */
const NOT_STORED: ReadonlySet<ColumnUse> = new Set([
  ...(['referrer', 'session_id', 'consent_text', 'consent_page', 'mail_state'] as const),
  ...ATTRIBUTION_FIELDS,
]);

export function isStored(use: ColumnUse): boolean {
  return !NOT_STORED.has(use);
}

/** The part of a row that stores import. */
export function toImportedPerson({ email, source, created_at, state, fields }: PersonRow): ImportedPerson {
  return { email, source, created_at, state, ...(fields && { fields }) };
}
