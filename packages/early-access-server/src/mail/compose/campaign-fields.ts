import { type SignupFields, StorageError } from 'early-access-kit/core';
import { FIELD_TAG, fieldPaths, findFieldNames } from '../../app/campaigns/placeholders.ts';
import { type ChoiceLabel, compileText } from './mustache.ts';

/**
 * Replaces placeholders such as `{{fields.company}}` in an admin's text with a person's values: for a choice the label,
 * and for `{{fields.role.value}}` the stored value. Text without fields is returned unchanged. Throws a `StorageError`
 * with code `invalid` if a placeholder is malformed.
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
