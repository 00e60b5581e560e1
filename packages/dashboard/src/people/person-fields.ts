import { type Person, type ShownField, valueLabel } from 'early-access-server/admin-api';

export interface PersonField {
  readonly label: string;
  readonly value: string;
  /** Whether it is short enough for the list: consents are sentences. */
  readonly isForList: boolean;
}

/**
 * Returns the person's values in the order of the form; then values of fields that are no longer declared, under their
 * names.
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

/** More of a value does not fit into the list. The record has all of it. */
const MAX_IN_LIST = 120;

const shorten = (text: string) => (text.length > MAX_IN_LIST ? `${text.slice(0, MAX_IN_LIST)}…` : text);

/** One text for the list; empty if nothing fits into it. */
export function fieldsLine(person: Pick<Person, 'fields'>, declared: readonly ShownField[]): string {
  return personFields(person, declared)
    .filter(({ isForList }) => isForList)
    .map(({ label, value }) => `${shorten(label)}: ${shorten(value)}`)
    .join(' · ');
}
