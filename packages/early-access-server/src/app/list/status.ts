import type { FieldDeclarations } from 'early-access-kit/core';
import type { PersonRecord } from '../admin/people.ts';
import { readConsent } from './consent.ts';
import type { PersonState } from './states.ts';

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
 * Everything that is stored about a person, for themselves, with times as ISO 8601. Says nothing about a new address that they entered: whether
 * an email was sent to it depends on who else is on the list.
 */
export function exportPerson(person: PersonRecord, declarations: FieldDeclarations): string {
  const { resends, new_email, timeline, ...stored } = person;
  const own = timeline.filter(({ event, email }) => event !== 'ask-correction' && email?.kind !== 'correction');
  const data = { ...stored, ...readConsent(person, declarations), timeline: own };
  const toText = (name: string, value: unknown) =>
    typeof value === 'number' && /(?:^|_)(?:at|start|end)$/.test(name) ? new Date(value).toISOString() : value;
  return JSON.stringify(data, toText, 2);
}
