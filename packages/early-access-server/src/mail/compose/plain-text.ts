import type { Parser, RendererObject, Token, Tokens } from 'marked';
import { safeTarget } from '../../app/campaigns/campaign-warnings.ts';
import { renderMarkdown } from './markdown.ts';
import { wrap } from './wrap.ts';

/** Marks a line that must not be wrapped. */
const UNBROKEN = '\u0000';
/** Quote and list markers at the start of a line. */
const MARKS = /^(?:> |\s|- (?:\[[x ]\] )?|\d+\. )*/;

/**
 * Converts Markdown to text for programs that do not show HTML: without markup, with link targets after their labels.
 * Lines are not wrapped; call `wrapText` after inserting a person's values.
 */
export function markdownToText(markdown: string): string {
  return renderMarkdown(markdown.replaceAll(UNBROKEN, ''), TEXT_RENDERER).trim();
}

/** Wraps lines, and indents continuation lines like the text of a list item or quote. */
export function wrapText(text: string): string {
  return text.split('\n').map(wrapLine).join('\n');
}

function wrapLine(line: string): string {
  if (line.endsWith(UNBROKEN)) return line.slice(0, -UNBROKEN.length).trimEnd();
  const [marks = ''] = MARKS.exec(line) ?? [];
  return marks + wrap(line.slice(marks.length)).replaceAll('\n', `\n${marks.replace(/[^>\s]/g, ' ')}`);
}

/** Every block ends with an empty line. */
const TEXT_RENDERER: RendererObject = {
  heading({ tokens }) {
    return `${this.parser.parseInline(tokens).toUpperCase()}\n\n`;
  },
  paragraph({ tokens }) {
    return `${this.parser.parseInline(tokens)}\n\n`;
  },
  blockquote({ tokens }) {
    return `${indent(this.parser.parse(tokens).trim(), '> ', '> ')}\n\n`;
  },
  code({ text }) {
    return `${indent(keepLines(text), '    ', '    ')}\n\n`;
  },
  codespan({ text }) {
    return text;
  },
  hr() {
    return `${'-'.repeat(24)}\n\n`;
  },
  list({ ordered, start, items, loose }) {
    const lines = items.map((item, at) => {
      const mark = ordered ? `${Number(start || 1) + at}. ` : '- ';
      return indent(this.parser.parse(item.tokens).trim(), mark, ' '.repeat(mark.length));
    });
    return `${lines.join(loose ? '\n\n' : '\n')}\n\n`;
  },
  checkbox({ checked }) {
    return checked ? '[x] ' : '[ ] ';
  },
  table({ header, rows }) {
    const row = (cells: readonly Tokens.TableCell[]) =>
      cells.map(({ tokens }) => this.parser.parseInline(tokens)).join(' | ');
    return `${keepLines([header, ...rows].map(row).join('\n'))}\n\n`;
  },
  strong: renderInline,
  em: renderInline,
  del: renderInline,
  br() {
    return '\n';
  },
  link({ href, tokens }) {
    const target = safeTarget(href);
    const label = this.parser.parseInline(tokens);
    // If the label is the URL itself, it is not repeated.
    return target === null || bare(target) === bare(label) ? label : `${label} (${target})`;
  },
  image({ text }) {
    return text;
  },
  text(token) {
    if ('tokens' in token && token.tokens) return `${this.parser.parseInline(token.tokens)}\n`;
    return token.text.replaceAll('\n', ' ');
  },
};

function renderInline(this: { readonly parser: Parser }, { tokens }: { readonly tokens: Token[] }): string {
  return this.parser.parseInline(tokens);
}

function bare(url: string): string {
  return url.replace(/^(?:https?:\/\/|mailto:)|\/$/g, '');
}

function keepLines(text: string): string {
  return text.replace(/\n|$/g, (end) => UNBROKEN + end);
}

function indent(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, at) => `${at === 0 ? first : others}${line}`.trimEnd())
    .join('\n');
}
