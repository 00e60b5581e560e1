import { Parser, Renderer, type Tokens } from 'marked';
import { parseMarkdown, safeTarget } from './markdown.ts';
import { wrap } from './wrap.ts';

/** The Markdown for programs that show no HTML: without marks, with the targets of links behind their labels. */
export function markdownToText(markdown: string): string {
  return Parser.parse(parseMarkdown(markdown), { renderer: new TextRenderer() }).trim();
}

/** Every block ends with an empty line. */
class TextRenderer extends Renderer {
  override heading({ tokens }: Tokens.Heading): string {
    return `${wrap(this.parser.parseInline(tokens).toUpperCase())}\n\n`;
  }

  override paragraph({ tokens }: Tokens.Paragraph): string {
    return `${wrapLines(this.parser.parseInline(tokens))}\n\n`;
  }

  override blockquote({ tokens }: Tokens.Blockquote): string {
    return `${indent(this.parser.parse(tokens).trim(), '> ', '> ')}\n\n`;
  }

  override code({ text }: Tokens.Code): string {
    return `${indent(text, '    ', '    ')}\n\n`;
  }

  override codespan({ text }: Tokens.Codespan): string {
    return text;
  }

  override hr(): string {
    return `${'-'.repeat(24)}\n\n`;
  }

  override list({ ordered, start, items, loose }: Tokens.List): string {
    const lines = items.map((item, at) => {
      const mark = ordered ? `${Number(start || 1) + at}. ` : '- ';
      return indent(this.parser.parse(item.tokens).trim(), mark, ' '.repeat(mark.length));
    });
    return `${lines.join(loose ? '\n\n' : '\n')}\n\n`;
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? '[x] ' : '[ ] ';
  }

  override table({ header, rows }: Tokens.Table): string {
    const row = (cells: readonly Tokens.TableCell[]) =>
      cells.map(({ tokens }) => this.parser.parseInline(tokens)).join(' | ');
    return `${[header, ...rows].map(row).join('\n')}\n\n`;
  }

  override strong({ tokens }: Tokens.Strong): string {
    return this.parser.parseInline(tokens);
  }

  override em({ tokens }: Tokens.Em): string {
    return this.parser.parseInline(tokens);
  }

  override del({ tokens }: Tokens.Del): string {
    return this.parser.parseInline(tokens);
  }

  override br(): string {
    return '\n';
  }

  override link({ href, tokens }: Tokens.Link): string {
    const target = safeTarget(href);
    const label = this.parser.parseInline(tokens);
    // A label that is the address itself would only be repeated.
    return target === null || bare(target) === bare(label) ? label : `${label} (${target})`;
  }

  override image({ text }: Tokens.Image): string {
    return text;
  }

  override text(token: Tokens.Text | Tokens.Escape): string {
    if ('tokens' in token && token.tokens) return `${wrapLines(this.parser.parseInline(token.tokens))}\n`;
    return token.text.replaceAll('\n', ' ');
  }
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
