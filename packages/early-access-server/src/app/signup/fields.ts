import {
  CHOICE_SEPARATOR,
  checkDeclarations,
  type FieldDeclarations,
  type FieldOption,
  type FieldType,
  type SignupFields,
} from 'early-access-kit/internal';
import { ConfigError } from '../config-error.ts';

/** Validates the host's field declarations; none if undefined. Throws a `ConfigError` that names the invalid field. */
export function checkedFields(declared: unknown = {}): FieldDeclarations {
  try {
    return checkDeclarations(declared);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ConfigError(error.message);
  }
}

export const FIELD_TYPES = [
  'text',
  'textarea',
  'url',
  'tel',
  'number',
  'date',
  'select',
  'choices',
  'checkbox',
] as const satisfies readonly FieldType[];

/** A form field as the dashboard shows it. */
export interface ShownField {
  readonly name: string;
  readonly label: string;
  readonly type: FieldType;
  /** Stored values and their labels. Empty unless the field has choices. */
  readonly choices: readonly FieldOption[];
  readonly is_consent: boolean;
}

export function shownFields(declarations: FieldDeclarations): readonly ShownField[] {
  return Object.entries(declarations).map(([name, field]) => ({
    name,
    label: field.label,
    type: field.type,
    choices:
      'options' in field
        ? field.options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option))
        : [],
    is_consent: field.type === 'checkbox' && field.consent === true,
  }));
}

/** The label shown for a stored value. For several choices, their labels. */
export function valueLabel({ choices }: Pick<ShownField, 'choices'>, stored: string): string {
  const find = (value: string) => choices.find((choice) => choice.value === value)?.label;
  const all = stored.split(CHOICE_SEPARATOR).map(find);
  return all.every((label) => label !== undefined) ? all.join(', ') : stored;
}

/** Returns a function that replaces a stored choice with its label. Other values are returned unchanged. */
export function choiceLabel(declarations: FieldDeclarations): (field: string, value: unknown) => unknown {
  const shown = new Map(shownFields(declarations).map((field) => [field.name, field]));
  return (name, value) => {
    const field = shown.get(name);
    return field === undefined || typeof value !== 'string' ? value : valueLabel(field, value);
  };
}

/**
 * Reads field values from the database. They were valid when they were stored, and are not checked against the current
 * declarations. Undefined if there are none.
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
