import type { FieldDeclarations } from 'early-access-kit/core';
import type { PersonState } from '../lifecycle/states.ts';
import { readField } from '../text/read-field.ts';
import { readConsent } from './consent.ts';
import type { PersonRecord } from './people.ts';

/** What a person's status page shows about them. */
export interface PersonStatus {
  readonly email: string;
  readonly state: PersonState;
  readonly signed_up_at: number;
}

export function readStatus({ email, state, created_at }: PersonRecord): PersonStatus {
  return { email, state, signed_up_at: created_at };
}

/**
 * Whether the file for the person contains a property of their record. Decide this for every new property: it may be
 * about someone else.
 */
const EXPORTED: Readonly<Record<keyof PersonRecord, boolean>> = {
  id: true,
  email: true,
  state: true,
  created_at: true,
  fields: true,
  source: true,
  page_url: true,
  referrer: true,
  utm_source: true,
  utm_medium: true,
  utm_campaign: true,
  utm_term: true,
  utm_content: true,
  consent_text: true,
  consent_page: true,
  confirmed_at: true,
  confirmed_by: true,
  unsubscribed_at: true,
  bounced_at: true,
  bounced_from: true,
  invited_at: true,
  joined_at: true,
  mail: true,
  timeline: true,
  session_id: true,
  session: true,
  page_views: true,
  language: true,
  import_id: true,
  labels: true,
  // Contains the addresses of people who used a share link, and of the person who shared it.
  share: false,
  referrals: true,
  // Not about the person.
  resends: false,
  // Whether an email was sent to a new address depends on who else is on the list.
  new_email: false,
};

/** Everything stored about a person, as a file for them, with ISO 8601 times. Leaves out an unconfirmed new address. */
export function exportPerson(person: PersonRecord, declarations: FieldDeclarations): string {
  const timeline = person.timeline.filter(
    ({ event, email }) => event !== 'ask-correction' && email?.kind !== 'correction',
  );
  const record = { ...person, ...readConsent(person, declarations), timeline };
  const parts = Object.entries(EXPORTED).flatMap(([name, isOwn]) => (isOwn ? [[name, readField(record, name)]] : []));
  const toText = (name: string, value: unknown) =>
    typeof value === 'number' && /(?:^|_)(?:at|start|end)$/.test(name) ? new Date(value).toISOString() : value;
  return JSON.stringify(Object.fromEntries(parts), toText, 2);
}
