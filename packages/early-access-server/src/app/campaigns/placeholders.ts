import { findNearest } from '../text/nearest-name.ts';

/**
 * A Mustache tag with a field or its stored value: `{{fields.role}}`, `{{fields.role.value}}`. Case-insensitive,
 * because the plain-text part puts headings in capitals.
 */
export const FIELD_TAG = /\{\{\s*([#^/]?)\s*(fields\.[a-z][a-z0-9_]*(?:\.value)?)\s*\}\}/gi;

export function findFieldNames(text: string): readonly string[] {
  const names = Array.from(text.matchAll(FIELD_TAG), ([, , path = '']) => path.toLowerCase().split('.')[1] ?? '');
  return [...new Set(names)];
}

/** The names that tags can use for these fields. */
export function fieldPaths(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [`fields.${name}`, `fields.${name}.value`]);
}

const WHOLE_FIELD_TAG = new RegExp(`^${FIELD_TAG.source}$`, 'i');
/** Every `{{`, up to the closing braces if they are on the same line. */
const ANY_TAG = /\{\{\{?([^{}\n]*)(?:\}\}\}?)?/g;
const MAX_SHOWN = 60;

/**
 * Returns a sentence about the first `{{…}}` in a campaign that does not match a declared field, with the closest field
 * as a suggestion. Null if there is none. The preview, the test email and the start of a campaign reject such a text.
 */
export function findPlaceholderProblem(text: string, fields: readonly string[]): string | null {
  for (const [tag, content = ''] of text.matchAll(ANY_TAG)) {
    const known = WHOLE_FIELD_TAG.test(tag) ? findFieldNames(tag) : [];
    if (known.some((name) => fields.includes(name))) continue;
    const shown = tag.length > MAX_SHOWN ? `${tag.slice(0, MAX_SHOWN)}…` : tag;
    const meant = findMeant(content, fields);
    return meant === null
      ? `there is no ${shown}, because no fields are declared; remove it`
      : `there is no ${shown}; did you mean {{fields.${meant}}}?`;
  }
  return null;
}

/** The field whose name contains the text, such as `first_name` for `name`, or else the most similar name. */
function findMeant(content: string, fields: readonly string[]): string | null {
  const name = content
    .replace(/^[\s#^/&!>=]*(?:fields\.)?/i, '')
    .trim()
    .toLowerCase();
  const containing = name === '' ? undefined : fields.find((field) => field.includes(name));
  return containing ?? findNearest(name, fields)?.name ?? null;
}
