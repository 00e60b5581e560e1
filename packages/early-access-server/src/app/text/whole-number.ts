/** The whole number that a text writes in decimal digits; null for any other text, such as `1e1`, `0x10` or an empty one. */
export function parseWholeNumber(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
