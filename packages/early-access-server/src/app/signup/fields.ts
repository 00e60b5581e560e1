import { checkDeclarations, type FieldDeclarations, type FieldOption, type SignupFields } from 'early-access-kit/core';
import { ConfigError } from '../access/host-mistakes.ts';

/** The host's declaration, none if undefined. Throws a `ConfigError` that names the field if it contradicts itself. */
export function checkedFields(declared: unknown = {}): FieldDeclarations {
  try {
    return checkDeclarations(declared);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ConfigError(error.message);
  }
}

/** A field of the form, as the dashboard shows its values. */
export interface ShownField {
  readonly name: string;
  readonly label: string;
  /** The stored values and their labels; empty unless the field is a select. */
  readonly choices: readonly FieldOption[];
  readonly is_consent: boolean;
}

export function shownFields(declarations: FieldDeclarations): readonly ShownField[] {
  return Object.entries(declarations).map(([name, field]) => ({
    name,
    label: field.label,
    choices:
      field.type !== 'select'
        ? []
        : field.options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option)),
    is_consent: field.type === 'checkbox' && field.consent === true,
  }));
}

/**
 * The values of the host's own fields as a database holds them. They were valid when they were stored, and are not compared with what is
 * declared today. Undefined if there are none.
 */
export function storedFields(stored: unknown): SignupFields | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const entries: (readonly [string, unknown])[] = Object.entries(stored);
  const valid = entries.filter((entry): entry is readonly [string, string | true] => isFieldValue(entry[1]));
  return valid.length > 0 ? Object.fromEntries(valid) : undefined;
}

function isFieldValue(value: unknown): value is string | true {
  return typeof value === 'string' || value === true;
}
