export interface Command {
  readonly id: string;
  readonly label: string;
  /** Other words that find the command. */
  readonly other?: string;
}

/** Returns the commands in which each word of the text is the start of a word. */
export function matchCommands<T extends Command>(commands: readonly T[], text: string): readonly T[] {
  const words = splitWords(text);
  // A text of punctuation alone matches no command.
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
