import type { Parser, RendererObject, Token, Tokens } from 'marked';
import { renderMarkdown, safeTarget } from './markdown.ts';
import { wrap } from './wrap.ts';

/** The Markdown for programs that show no HTML: without marks, with the targets of links behind their labels. */
export function markdownToText(markdown: string): string {
  return renderMarkdown(markdown, TEXT_RENDERER).trim();
}

/** Every block ends with an empty line. */
const TEXT_RENDERER: RendererObject = {
  heading({ tokens }) {
    return `${wrap(this.parser.parseInline(tokens).toUpperCase())}\n\n`;
  },
  paragraph({ tokens }) {
    return `${wrapLines(this.parser.parseInline(tokens))}\n\n`;
  },
  blockquote({ tokens }) {
    return `${indent(this.parser.parse(tokens).trim(), '> ', '> ')}\n\n`;
  },
  code({ text }) {
    return `${indent(text, '    ', '    ')}\n\n`;
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
    return `${[header, ...rows].map(row).join('\n')}\n\n`;
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
    // A label that is the address itself would only be repeated.
    return target === null || bare(target) === bare(label) ? label : `${label} (${target})`;
  },
  image({ text }) {
    return text;
  },
  text(token) {
    if ('tokens' in token && token.tokens) return `${wrapLines(this.parser.parseInline(token.tokens))}\n`;
    return token.text.replaceAll('\n', ' ');
  },
};

function renderInline(this: { readonly parser: Parser }, { tokens }: { readonly tokens: Token[] }): string {
  return this.parser.parseInline(tokens);
}

function bare(url: string): string {
  return url.replace(/^(?:https?:\/\/|mailto:)|\/$/g, '');
}

function wrapLines(text: string): string {
  return text
    .split('\n')
    .map((line) => wrap(line))
    .join('\n');
}

function indent(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, at) => `${at === 0 ? first : others}${line}`.trimEnd())
    .join('\n');
}
