import { type FieldDeclaration, type FieldDeclarations, type SignupFields, StorageError } from 'early-access-kit/core';
import { FIELD_TAG, findFieldNames } from '../../app/list/placeholders.ts';
import { compileText } from './mustache.ts';

/**
 * The text of an admin, with the values of a person in place of `{{fields.company}}`. A text that names no field is not changed. Throws a
 * `StorageError` `invalid` if its tags cannot be read.
 */
export function withFields(text: string, escapeValue: (value: string) => string): (fields: SignupFields) => string {
  const names = findFieldNames(text);
  if (names.length === 0) return () => text;
  const template = text.replace(FIELD_TAG, (_, sign: string, name: string) => `{{${sign}${name.toLowerCase()}}}`);
  try {
    const placeholders = names.map((name) => `fields.${name}`);
    const render = compileText(template, placeholders, escapeValue);
    return (fields) => render({ fields });
  } catch (cause) {
    throw new StorageError('invalid', cause instanceof Error ? cause.message : 'the text cannot be parsed', { cause });
  }
}

/** Values for a preview. */
export function exampleFields(declarations: FieldDeclarations): SignupFields {
  return Object.fromEntries(Object.entries(declarations).map(([name, field]) => [name, exampleValue(field)]));
}

function exampleValue(field: FieldDeclaration): string | true {
  if (field.type === 'url') return 'https://www.example.com/';
  if (field.type === 'checkbox' && !field.consent) return true;
  const [first] = field.type === 'select' ? field.options : [];
  return (typeof first === 'object' ? first.value : first) ?? field.label;
}
