/** A change to the source. */
export interface Change {
  /** The path from the root of the repository. */
  readonly file: string;
  readonly line: number;
  /** The changed lines, before and after, without indentation. */
  readonly before: string;
  readonly after: string;
}

/** A change, and whether the tests detected it. */
export interface TestedMutant extends Change {
  readonly outcome: 'killed' | 'survived' | 'invalid';
}

interface Position {
  /** Line and column start at zero. */
  readonly line: number;
  readonly column: number;
}

/** Returns the lines that a mutant changes, before and after, with white space collapsed. */
export function changedLines(
  source: string,
  { start, end }: { readonly start: Position; readonly end: Position },
  replacement: string,
): Pick<Change, 'before' | 'after' | 'line'> {
  const lines = source.split('\n').slice(start.line, end.line + 1);
  const head = (lines[0] ?? '').slice(0, start.column);
  const tail = (lines.at(-1) ?? '').slice(end.column);
  const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
  return { line: start.line + 1, before: oneLine(lines.join('\n')), after: oneLine(head + replacement + tail) };
}
