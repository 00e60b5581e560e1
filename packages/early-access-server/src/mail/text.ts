import type { Links } from './links.ts';
import * as words from './words.ts';

const WIDTH = 72;

/** The email for programs and people that prefer plain text. Lines end before column 72, but for links. */
export function toText({ site, removal }: Links): string {
  return [
    words.HEADING.join(' ').toUpperCase(),
    wrap(words.THANKS),
    words.BENEFITS_HEADING.toUpperCase(),
    words.BENEFITS.map(([title, text]) => wrap(`${title}: ${text}`, '  + ', '    ')).join('\n'),
    `${words.BEFORE.label}: ${words.BEFORE.time}.\n${words.AFTER.label}: ${words.AFTER.time}.`,
    words.NEXT_HEADING.toUpperCase(),
    wrap(words.NEXT),
    'PrintMargin',
    `-- \n${wrap(words.WHY)}\n${site}`,
    `${wrap(`${words.REMOVAL} ${words.REMOVAL_LINK}, ${words.REMOVAL_PROMISE}`)}\n${removal}`,
  ].join('\n\n');
}

function wrap(text: string, first = '', rest = first): string {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(' ')) {
    const longer = line.endsWith(' ') || line === '' ? line + word : `${line} ${word}`;
    if (longer.length <= WIDTH) line = longer;
    else {
      lines.push(line);
      line = rest + word;
    }
  }
  return [...lines, line].join('\n');
}
