import type { FieldDeclarations } from 'early-access-kit/core';
import type { PersonHistory } from '../lifecycle/states.ts';
import type { ExportedPerson, Person } from './people.ts';

/** The longest text of a consent that an admin states, or a file. */
export const MAX_CONSENT_LENGTH = 2_000;

/**
 * The words that a person agreed to, which are the values of consents in the form, and the page of their signup, unless
 * a file said it.
 */
export function readConsent(
  { consent_text, consent_page, fields = {}, page_url }: Person,
  declarations: FieldDeclarations,
): Pick<PersonHistory, 'consent_text' | 'consent_page'> {
  const agreed = Object.entries(declarations).flatMap(([name, field]) => {
    const value = field.type === 'checkbox' && field.consent && Object.hasOwn(fields, name) ? fields[name] : undefined;
    return typeof value === 'string' ? [value] : [];
  });
  return { consent_text: consent_text ?? (agreed.join('\n') || null), consent_page: consent_page ?? page_url ?? null };
}

/** People with their consent as `readConsent` returns it. */
export async function* readConsents(
  people: AsyncIterable<ExportedPerson>,
  declarations: FieldDeclarations,
): AsyncGenerator<ExportedPerson> {
  for await (const person of people) yield { ...person, ...readConsent(person, declarations) };
}
