import { lexer, Parser, Renderer, Tokenizer, type Tokens } from 'marked';
import { FIELD_TAG } from '../../app/list/placeholders.ts';
import { escapeHtml } from '../templates/escape-html.ts';

/** The `class` and `style` attributes of each element; of cells, the style alone. */
export interface MarkdownLook
  extends Readonly<Record<'text' | 'list' | 'quote' | 'code' | 'link' | 'rule' | 'table' | 'cell', string>> {
  readonly heading: (depth: number) => string;
}

/** Markdown without HTML: tags are text, as is every other character that means something in HTML. */
class PlainTokenizer extends Tokenizer {
  override html() {
    return undefined;
  }
  override tag() {
    return undefined;
  }
}

export function parseMarkdown(markdown: string) {
  return lexer(markdown, { gfm: true, tokenizer: new PlainTokenizer() });
}

/**
 * The target of a link that an email may contain: an address of the web or of a mailbox. Null for any other, such as `javascript:`. Tags that
 * name fields stay as they are; a target that is no URL because of them is returned as it is, and `compileText` refuses it.
 */
export function safeTarget(href: string): string | null {
  // A URL parser would encode the braces of a tag.
  const tags = href.match(FIELD_TAG) ?? [];
  const withoutTags = tags.reduce((text, tag, index) => text.replace(tag, `field-tag-${index}`), href);
  const url = URL.canParse(withoutTags) ? new URL(withoutTags) : null;
  if (url === null) return tags.length > 0 ? href : null;
  if (!['https:', 'http:', 'mailto:'].includes(url.protocol)) return null;
  return tags.reduceRight((text, tag, index) => text.replace(`field-tag-${index}`, () => tag), url.href);
}

/** The Markdown as HTML for mail programs: styles inline, no scripts, no HTML of the author's, images by https only. */
export function markdownToHtml(markdown: string, look: MarkdownLook): string {
  return Parser.parse(parseMarkdown(markdown), { renderer: new HtmlRenderer(look) });
}

class HtmlRenderer extends Renderer {
  readonly #look: MarkdownLook;

  constructor(look: MarkdownLook) {
    super();
    this.#look = look;
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    return `<h${depth} ${this.#look.heading(depth)}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
  }

  override paragraph({ tokens }: Tokens.Paragraph): string {
    return `<p ${this.#look.text}>${this.parser.parseInline(tokens)}</p>\n`;
  }

  override blockquote({ tokens }: Tokens.Blockquote): string {
    return `<blockquote ${this.#look.quote}>${this.parser.parse(tokens)}</blockquote>\n`;
  }

  override code({ text }: Tokens.Code): string {
    return `<pre dir="ltr" ${this.#look.code}><code>${escapeHtml(text)}</code></pre>\n`;
  }

  override codespan({ text }: Tokens.Codespan): string {
    return `<code>${escapeHtml(text)}</code>`;
  }

  override hr(): string {
    return `<hr ${this.#look.rule}>\n`;
  }

  override list({ ordered, start, items }: Tokens.List): string {
    const tag = ordered ? 'ol' : 'ul';
    const from = ordered && start !== '' && start !== 1 ? ` start="${start}"` : '';
    return `<${tag}${from} ${this.#look.list}>${items.map((item) => this.listitem(item)).join('')}</${tag}>\n`;
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? '☑ ' : '☐ ';
  }

  override table({ header, rows }: Tokens.Table): string {
    const row = (cells: readonly Tokens.TableCell[]) =>
      `<tr>${cells.map((cell) => this.tablecell(cell)).join('')}</tr>`;
    return `<table width="100%" cellpadding="0" cellspacing="0" border="0" ${this.#look.table}>${[header, ...rows].map(row).join('\n')}</table>\n`;
  }

  override tablecell({ header, align, tokens }: Tokens.TableCell): string {
    const tag = header ? 'th' : 'td';
    return `<${tag} class="ink line" style="text-align:${align ?? 'start'};${this.#look.cell}">${this.parser.parseInline(tokens)}</${tag}>`;
  }

  override link({ href, tokens }: Tokens.Link): string {
    const target = safeTarget(href);
    const label = this.parser.parseInline(tokens);
    return target === null ? label : `<a href="${escapeHtml(target)}" ${this.#look.link}>${label}</a>`;
  }

  override image({ href, text }: Tokens.Image): string {
    const target = safeTarget(href);
    if (!target?.startsWith('https:')) return escapeHtml(text);
    return `<img src="${escapeHtml(target)}" alt="${escapeHtml(text)}" style="display:block;border:0;max-width:100%;height:auto">`;
  }

  override text(token: Tokens.Text | Tokens.Escape): string {
    return 'tokens' in token && token.tokens ? this.parser.parseInline(token.tokens) : escapeHtml(token.text);
  }
}
