import Mustache from 'mustache';
import { readField } from '../../app/text/read-field.ts';

/** Converts a field's stored value to the text that people see: the label of a choice, and other values unchanged. */
export type ChoiceLabel = (field: string, value: unknown) => unknown;

/**
 * Compiles a text with placeholders, whose values are escaped with `escapeValue`. Throws an `Error` that explains an
 * invalid placeholder. Field values inside links are percent-encoded, so that visitors cannot change a link's target.
 */
export function compileText(
  template: string,
  placeholders: readonly string[],
  escapeValue: (value: string) => string,
  labelOf: ChoiceLabel = (_, value) => value,
): (data: object) => string {
  checkTags(Mustache.parse(template), placeholders);
  const marked = markFields(template);
  return (data) => {
    const stored = Object.entries(Object(readField(data, 'fields')));
    const change = (to: ChoiceLabel) => Object.fromEntries(stored.map(([name, value]) => [name, to(name, value)]));
    const values = {
      fields: change(labelOf),
      storedFields: change((_, value) => value),
      linkFields: change((name, value) => encodeForLink(String(labelOf(name, value)))),
      storedLinkFields: change((_, value) => encodeForLink(String(value))),
    };
    return Mustache.render(marked, { ...data, ...values }, {}, { escape: (value) => escapeValue(String(value)) });
  };
}

/** Lone surrogates cannot be encoded. */
function encodeForLink(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'));
}

const TAG = /\{\{\s*([#^/!]?)\s*([\s\S]*?)\s*\}\}/g;
/** Placeholders whose value is a complete URL. */
const URLS = ['url', 'logo', 'markUrl', 'fontUrl', 'unsubscribeUrl', 'statusUrl', 'link', 'dashboardUrl'];
/**
 * A link that is open at the end of a text: in an attribute, in a style, or a plain URL, which mail programs turn into
 * a link.
 */
const LINK_START = new RegExp(
  [
    /\b(?:href|src|action|formaction|background|poster|cite)\s*=\s*(?:"([^"]*)|'([^']*)|([^\s"'>]*))$/,
    /\burl\(\s*["']?([^"')]*)$/,
    /((?:https?:\/\/|\bwww\.|\bmailto:)[^\s<>"')]*)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);
/** A link's start that fixes its host or recipient, so that following text cannot change it. */
const HOST_IS_FIXED = /^\s*(?:(?:https?:\/\/|www\.)[^/?#\\\s]+[/?#]|mailto:[^?]+\?)/i;

/**
 * Renames `{{fields.company}}` inside links to `{{linkFields.company}}`, and `{{fields.company.value}}` to
 * `{{storedFields.company}}`. Throws if a field would determine a link's host or recipient.
 */
function markFields(template: string): string {
  /** The text before a tag, with an example for each placeholder. */
  let before = '';
  let end = 0;
  return template.replace(TAG, (tag, sign: string, name: string, at: number) => {
    before += template.slice(end, at);
    end = at + tag.length;
    const [group = '', field, part] = name.split('.');
    const isField = group === 'fields' && field !== undefined;
    const mark = (inLink: boolean) =>
      part === undefined
        ? `${sign}${inLink ? 'linkFields' : group}.${field}`
        : `${sign}${inLink ? 'storedLinkFields' : 'storedFields'}.${field}`;
    if (sign !== '') return isField ? `{{${mark(false)}}}` : tag;
    const link = LINK_START.exec(before)
      ?.slice(1)
      .find((part) => part !== undefined);
    before += URLS.includes(name) ? 'https://www.example.com/' : 'x';
    if (!isField) return tag;
    if (link === undefined) return `{{${mark(false)}}}`;
    if (HOST_IS_FIXED.test(link)) return `{{${mark(true)}}}`;
    throw new Error(
      `{{${name}}} would choose where a link leads; write the address before it, such as https://www.example.com/?value={{${name}}}`,
    );
  });
}

/** A misspelled placeholder would silently leave a gap in every email. */
function checkTags(tokens: readonly unknown[], placeholders: readonly string[]): void {
  for (const token of tokens) {
    if (!Array.isArray(token)) continue;
    const [type, name, , , inner]: unknown[] = token;
    if (type === 'text' || type === '!') continue;
    if (type === '>' || !placeholders.some((known) => known === name)) {
      const known = placeholders.map((placeholder) => `{{${placeholder}}}`).join(', ');
      throw new Error(`there is no {{${String(name)}}}; use ${known}`);
    }
    // Values entered by visitors are always escaped.
    if (type === '&' && String(name).startsWith('fields.')) {
      throw new Error(`{{{${name}}}} would not be escaped; use {{${name}}}`);
    }
    if (Array.isArray(inner)) checkTags(inner, placeholders);
  }
}
