export interface Command {
  readonly id: string;
  readonly label: string;
  /** Other words that it is found by. */
  readonly other?: string;
}

/** The commands that have each word of the text, at the start of a word. */
export function matchCommands<T extends Command>(commands: readonly T[], text: string): readonly T[] {
  const words = splitWords(text);
  // Signs alone, in which a person is searched for.
  if (words.length === 0 && text.trim() !== '') return [];
  return commands.filter(({ label, other = '' }) => {
    const known = splitWords(`${label} ${other}`);
    return words.every((word) => known.some((each) => each.startsWith(word)));
  });
}

function splitWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
