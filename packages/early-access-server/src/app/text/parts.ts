/**
 * The text with small letters for A to Z, and all others as they are: what `lower` of a database does in the order of
 * bytes.
 */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * How a part may be spelled in a text that `foldCase` returned: as it is entered, in small letters, with capitals at the
 * starts of words, and in capitals. One, unless it has letters besides A to Z.
 */
export function listSpellings(part: string): readonly string[] {
  const small = part.toLowerCase();
  const title = small.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  return [...new Set([part, small, title, part.toUpperCase()].map(foldCase))];
}

/** Whether the text contains the part, in any case. */
export function containsPart(text: string, part: string): boolean {
  const folded = foldCase(text);
  return listSpellings(part).some((spelling) => folded.includes(spelling));
}
