/** Lower-cases A to Z only, like a database's `lower` with binary collation. */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * The spellings to search for in a text from `foldCase`: as entered, in lower case, capitalized, and in upper case.
 * Only one unless the part has letters other than A to Z.
 */
export function listSpellings(part: string): readonly string[] {
  const small = part.toLowerCase();
  const title = small.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  return [...new Set([part, small, title, part.toUpperCase()].map(foldCase))];
}

/** Returns whether the text contains the part, ignoring case. */
export function containsPart(text: string, part: string): boolean {
  const folded = foldCase(text);
  return listSpellings(part).some((spelling) => folded.includes(spelling));
}
