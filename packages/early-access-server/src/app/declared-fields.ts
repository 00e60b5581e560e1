import { checkDeclarations, type FieldDeclarations } from 'early-access-kit/core';
import type { ShownField } from './admin/admin-api.ts';
import { ConfigError } from './config-error.ts';

/** The host's declaration, none if undefined. Throws a `ConfigError` that names the field if it contradicts itself. */
export function checkedFields(declared: unknown = {}): FieldDeclarations {
  try {
    return checkDeclarations(declared);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ConfigError(error.message);
  }
}

/** What the dashboard has to know about them. */
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
