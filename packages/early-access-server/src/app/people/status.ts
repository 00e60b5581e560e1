import type { FieldDeclarations } from 'early-access-kit/core';
import type { PersonState } from '../lifecycle/states.ts';
import { readField } from '../text/read-field.ts';
import { readConsent } from './consent.ts';
import type { PersonRecord } from './people.ts';

/** The part of a person that their status page shows. */
export interface PersonStatus {
  readonly email: string;
  readonly state: PersonState;
  readonly signed_up_at: number;
}

export function readStatus({ email, state, created_at }: PersonRecord): PersonStatus {
  return { email, state, signed_up_at: created_at };
}

/**
 * Whether the file for the person has a part of their record. A new part has to be decided about: it may be about
 * someone else.
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
  // It has the addresses of those whom a share link brought, and of the one who brought them.
  share: false,
  referrals: true,
  // It is not about the person.
  resends: false,
  // Whether an email was sent to a new address depends on who else is on the list.
  new_email: false,
};

/**
 * Everything that is stored about a person, for themselves, with times as ISO 8601. Says nothing about a new address
 * that is not confirmed.
 */
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
