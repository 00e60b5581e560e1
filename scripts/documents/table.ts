/** Formats a Markdown table. The first row is the head, and the first column is left-aligned. */
export function markdownTable(rows: readonly (readonly string[])[], others: 'left' | 'right'): string {
  const rule = (rows[0] ?? []).map((_, column) => (column === 0 || others === 'left' ? '---' : '--:'));
  return rows
    .toSpliced(1, 0, rule)
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

/** Returns the document with a new table between `<!-- name: … -->` and `<!-- end of name -->`. */
export function withTable(document: string, table: string, name: string, end = name): string {
  const place = new RegExp(`(?<=<!-- ${name}: .*? -->\\n)[\\s\\S]*?(?=<!-- end of ${end} -->)`);
  if (!place.test(document)) throw new Error(`The document has no table of ${end}`);
  return document.replace(place, () => `\n${table}\n`);
}
