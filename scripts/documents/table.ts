/**
 * A Markdown table as the formatter writes it: the first row is the head; the first column is on the left, the others
 * as given.
 */
export function markdownTable(rows: readonly (readonly string[])[], others: 'left' | 'right'): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isLeft = (column: number) => column === 0 || others === 'left';
  const rule = widths.map((width, column) => (isLeft(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return rows
    .toSpliced(1, 0, rule)
    .map((row) => {
      const cells = row.map((text, column) => {
        const width = widths[column] ?? 0;
        return isLeft(column) ? text.padEnd(width) : text.padStart(width);
      });
      return `| ${cells.join(' | ')} |\n`;
    })
    .join('');
}

/** Returns the document with a new table between `<!-- name: … -->` and `<!-- end of name -->`. */
export function withTable(document: string, table: string, name: string, end = name): string {
  const place = new RegExp(`(?<=<!-- ${name}: .*? -->\\n)[\\s\\S]*?(?=<!-- end of ${end} -->)`);
  if (!place.test(document)) throw new Error(`The document has no table of ${end}`);
  return document.replace(place, () => `\n${table}\n`);
}
