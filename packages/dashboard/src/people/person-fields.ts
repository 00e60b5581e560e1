import { type Person, type ShownField, valueLabel } from 'early-access-server/admin-api';

export interface PersonField {
  readonly label: string;
  readonly value: string;
  /** Short enough for the list. Consents are whole sentences. */
  readonly isForList: boolean;
}

/**
 * Returns the values in the order of the form, followed by those of fields that are no longer declared, by their names.
 */
export function personFields({ fields = {} }: Pick<Person, 'fields'>, declared: readonly ShownField[]): PersonField[] {
  const known = declared.flatMap((field) => {
    const { name, label, is_consent } = field;
    const value = fields[name];
    if (value === undefined) return [];
    const isShared = declared.some((other) => other.name !== name && other.label === label);
    return {
      label: isShared ? `${label} (${name})` : label,
      value: value === true ? 'Yes' : valueLabel(field, value),
      isForList: !is_consent,
    };
  });
  const others = Object.entries(fields).filter(([name]) => !declared.some((field) => field.name === name));
  return [
    ...known,
    ...others.map(([name, value]) => ({ label: name, value: value === true ? 'Yes' : value, isForList: false })),
  ];
}

/** Characters of a value that the list shows. The record shows all of it. */
const MAX_IN_LIST = 120;

const shorten = (text: string) => (text.length > MAX_IN_LIST ? `${text.slice(0, MAX_IN_LIST)}…` : text);

/** Returns one text for the list; empty if no value is short enough. */
export function fieldsLine(person: Pick<Person, 'fields'>, declared: readonly ShownField[]): string {
  return personFields(person, declared)
    .filter(({ isForList }) => isForList)
    .map(({ label, value }) => `${shorten(label)}: ${shorten(value)}`)
    .join(' · ');
}
