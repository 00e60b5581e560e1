/** Wraps text to lines of at most `width` characters. Longer words are not broken. */
export function wrap(text: string, width = 72): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > width && line !== '') lines.push(line);
    line = longer.length > width ? word : longer;
  }
  return [...lines, line].join('\n');
}
