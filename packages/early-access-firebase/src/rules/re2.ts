/** Literals of the rules language: strings, and patterns in RE2 syntax. */

/** Content of a character class: control characters, which no field may contain. */
export const CONTROL_CHARACTERS = '\\x00-\\x1f\\x7f';

/** The same without the line feed. */
export const CONTROL_CHARACTERS_IN_LINES = '\\x00-\\x09\\x0b-\\x1f\\x7f';

/** Content of a character class: the spaces of JavaScript's `\s` and `trim`, because RE2's `\s` is ASCII only. */
export const SPACES =
  '\\x09-\\x0d\\x20\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';

/** Returns a name or number as a literal. Throws if it would need escaping. */
export function quoted(name: string): string {
  if (!/^\w+$/.test(name)) throw new TypeError('only letters, digits and underscores can be quoted');
  return `'${name}'`;
}

/**
 * Returns a pattern as a literal for `matches`, which matches the whole text. A JavaScript pattern must be anchored at
 * both ends.
 */
export function re2(pattern: string | RegExp): string {
  const source =
    typeof pattern === 'string' ? pattern : pattern.source.replace(/^\^|\$$/g, '').replaceAll('\\s', SPACES);
  return `'${source.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Returns a pattern that matches exactly these texts, as a literal. */
export function toAlternatives(texts: readonly string[]): string {
  return re2(`(${texts.map(toPattern).join('|')})`);
}

/**
 * Returns a pattern that matches exactly this text. Everything except ASCII letters, digits and spaces is escaped as
 * its code point, so that no text can end the literal, change the pattern, or depend on the file's encoding.
 */
export function toPattern(text: string): string {
  return text.replace(/[^A-Za-z0-9 ]/gu, codePoint);
}

function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length <= 2 ? `\\x${hex.padStart(2, '0')}` : `\\x{${hex}}`;
}
