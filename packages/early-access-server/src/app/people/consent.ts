import type { FieldDeclarations } from 'early-access-kit/core';
import type { PersonHistory } from '../lifecycle/states.ts';
import type { ExportedPerson, Person } from './people.ts';

/** The longest consent text that an admin or a file may give. */
export const MAX_CONSENT_LENGTH = 2_000;

/**
 * Returns the consent text that a person agreed to, and its page. Values from an imported file take precedence;
 * otherwise these are the values of the form's consent fields and the signup's page.
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

/** Adds each person's consent as returned by `readConsent`. */
export async function* readConsents(
  people: AsyncIterable<ExportedPerson>,
  declarations: FieldDeclarations,
): AsyncGenerator<ExportedPerson> {
  for await (const person of people) yield { ...person, ...readConsent(person, declarations) };
}
