import { type FieldDeclaration, type FieldDeclarations, type SignupFields, StorageError } from 'early-access-kit/core';
import Mustache from 'mustache';
import { checkTags } from './mustache.ts';

/** A tag of Mustache that names a field. The plain text of a heading is in capital letters. */
const TAG = /\{\{\s*([#^/]?)\s*(fields\.[a-z][a-z0-9_]*)\s*\}\}/gi;

/**
 * What an admin wrote, with the values of a person in place of `{{fields.company}}`. A text that names no field stays as it is. Throws a
 * `StorageError` `invalid` if its tags cannot be read.
 */
export function withFields(text: string, escapeValue: (value: string) => string): (fields: SignupFields) => string {
  const names = fieldsNamedIn(text);
  if (names.length === 0) return () => text;
  const template = text.replace(TAG, (_, sign: string, name: string) => `{{${sign}${name.toLowerCase()}}}`);
  try {
    checkTags(
      Mustache.parse(template),
      names.map((name) => `fields.${name}`),
    );
  } catch (cause) {
    throw new StorageError('invalid', cause instanceof Error ? cause.message : 'the text cannot be parsed', { cause });
  }
  return (fields) => Mustache.render(template, { fields }, {}, { escape: (value) => escapeValue(String(value)) });
}

/** The names of the fields that a text contains, each once. */
export function fieldsNamedIn(text: string): readonly string[] {
  const names = Array.from(text.matchAll(TAG), ([, , name = '']) => name.toLowerCase().replace(/^fields\./, ''));
  return [...new Set(names)];
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
