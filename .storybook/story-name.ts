/** Words that are not written in lower case. */
const PROPER = new Map(['Arabic', 'Spanish', 'CSV', 'URL'].map((word) => [word.toLowerCase(), word]));

/** Storybook capitalizes each word of an export's name. Returns it with sentence capitalization, like all titles. */
export function sentenceCase(name: string): string {
  return name
    .split(' ')
    .map(
      (word, at) =>
        PROPER.get(word.toLowerCase()) ?? (at > 0 && /^[A-Z][a-z]*$/.test(word) ? word.toLowerCase() : word),
    )
    .join(' ');
}
