import { findNearest } from '../text/nearest-name.ts';

/**
 * A tag of Mustache that names a field, or its stored value: `{{fields.role}}`, `{{fields.role.value}}`. The plain text
 * of a heading is in capital letters.
 */
export const FIELD_TAG = /\{\{\s*([#^/]?)\s*(fields\.[a-z][a-z0-9_]*(?:\.value)?)\s*\}\}/gi;

export function findFieldNames(text: string): readonly string[] {
  const names = Array.from(text.matchAll(FIELD_TAG), ([, , path = '']) => path.toLowerCase().split('.')[1] ?? '');
  return [...new Set(names)];
}

/** What tags can name of these fields. */
export function fieldPaths(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [`fields.${name}`, `fields.${name}.value`]);
}

const WHOLE_FIELD_TAG = new RegExp(`^${FIELD_TAG.source}$`, 'i');
/** Every `{{`, with its end unless that is missing on the line. */
const ANY_TAG = /\{\{\{?([^{}\n]*)(?:\}\}\}?)?/g;
const MAX_SHOWN = 60;

/**
 * The first `{{…}}` of a campaign that names none of the declared fields, in a sentence that names the nearest field.
 * Null if there is none. The preview, the test email and the start of a campaign all refuse it.
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

/** The field whose name contains the text, such as `first_name` for `name`, or else is nearest to it. */
function findMeant(content: string, fields: readonly string[]): string | null {
  const name = content
    .replace(/^[\s#^/&!>=]*(?:fields\.)?/i, '')
    .trim()
    .toLowerCase();
  const containing = name === '' ? undefined : fields.find((field) => field.includes(name));
  return containing ?? findNearest(name, fields)?.name ?? null;
}
