import {
  CHOICE_SEPARATOR,
  checkDeclarations,
  type FieldDeclarations,
  type FieldOption,
  type FieldType,
  type SignupFields,
} from 'early-access-kit/internal';
import { ConfigError } from '../config-error.ts';

/** The host's declaration, none if undefined. Throws a `ConfigError` that names the field if it contradicts itself. */
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

/** A field of the form, as the dashboard shows its values. */
export interface ShownField {
  readonly name: string;
  readonly label: string;
  readonly type: FieldType;
  /** The stored values and their labels; empty unless the field has one or several choices. */
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

/** What people read instead of a stored value: the label of the choice, or of each of several. */
export function valueLabel({ choices }: Pick<ShownField, 'choices'>, stored: string): string {
  const find = (value: string) => choices.find((choice) => choice.value === value)?.label;
  const all = stored.split(CHOICE_SEPARATOR).map(find);
  return all.every((label) => label !== undefined) ? all.join(', ') : stored;
}

/** Returns what people read of a field's stored value: the label of a choice, and any other value itself. */
export function choiceLabel(declarations: FieldDeclarations): (field: string, value: unknown) => unknown {
  const shown = new Map(shownFields(declarations).map((field) => [field.name, field]));
  return (name, value) => {
    const field = shown.get(name);
    return field === undefined || typeof value !== 'string' ? value : valueLabel(field, value);
  };
}

/**
 * The values of the host's own fields as a database holds them. They were valid when they were stored, and are not
 * compared with what is declared today. Undefined if there are none.
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
