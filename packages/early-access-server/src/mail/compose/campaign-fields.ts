import { type SignupFields, StorageError } from 'early-access-kit/core';
import { FIELD_TAG, fieldPaths, findFieldNames } from '../../app/campaigns/placeholders.ts';
import { type ChoiceLabel, compileText } from './mustache.ts';

/**
 * The text of an admin, with the values of a person in place of `{{fields.company}}`: that of a choice is its label, and
 * `{{fields.role.value}}` what is stored. A text that names no field is not changed. Throws a `StorageError` `invalid`
 * if its tags cannot be read.
 */
export function withFields(
  text: string,
  escapeValue: (value: string) => string,
  labelOf?: ChoiceLabel,
): (fields: SignupFields) => string {
  const names = findFieldNames(text);
  if (names.length === 0) return () => text;
  const template = text.replace(FIELD_TAG, (_, sign: string, name: string) => `{{${sign}${name.toLowerCase()}}}`);
  try {
    const render = compileText(template, fieldPaths(names), escapeValue, labelOf);
    return (fields) => render({ fields });
  } catch (cause) {
    throw new StorageError('invalid', cause instanceof Error ? cause.message : 'the text cannot be parsed', { cause });
  }
}
