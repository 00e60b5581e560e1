import { Marked, type RendererObject, type Tokens } from 'marked';
import { pictureSource, pictureWidth, type Reference, safeTarget } from '../../app/campaigns/campaign-warnings.ts';
import { escapeHtml } from '../templates/escape-html.ts';

/** The `class` and `style` attributes of each element; for table cells, only the style. */
export interface MarkdownLook
  extends Readonly<Record<'text' | 'list' | 'quote' | 'code' | 'link' | 'rule' | 'table' | 'cell', string>> {
  readonly heading: (depth: number) => string;
}

/** Renders Markdown without HTML: tags and special characters are escaped. */
export function renderMarkdown(markdown: string, renderer: RendererObject): string {
  const tokenizer = { html: () => undefined, tag: () => undefined };
  return new Marked({ gfm: true, tokenizer, renderer }).parse(markdown, { async: false });
}

/** The links and images of a text. A link that contains an image comes after it. */
export function listReferences(markdown: string): readonly Reference[] {
  const references: Reference[] = [];
  renderMarkdown(markdown, {
    link({ href, title = null, text, tokens }) {
      const content = this.parser.parseInline(tokens);
      references.push({ kind: 'link', label: text, href, title });
      return content;
    },
    image({ href, title, text }) {
      references.push({ kind: 'picture', label: text, href, title });
      return '';
    },
  });
  return references;
}

/**
 * Renders Markdown as HTML for mail programs: inline styles, no scripts, no HTML from the author, and images over https
 * only.
 */
export function markdownToHtml(markdown: string, look: MarkdownLook): string {
  return renderMarkdown(markdown, {
    heading({ tokens, depth }) {
      return `<h${depth} ${look.heading(depth)}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    paragraph({ tokens }) {
      return `<p ${look.text}>${this.parser.parseInline(tokens)}</p>\n`;
    },
    blockquote({ tokens }) {
      return `<blockquote ${look.quote}>${this.parser.parse(tokens)}</blockquote>\n`;
    },
    code({ text }) {
      return `<pre dir="ltr" ${look.code}><code>${escapeHtml(text)}</code></pre>\n`;
    },
    codespan({ text }) {
      return `<code>${escapeHtml(text)}</code>`;
    },
    hr() {
      return `<hr ${look.rule}>\n`;
    },
    list({ ordered, start, items }) {
      const tag = ordered ? 'ol' : 'ul';
      const from = ordered && start !== '' && start !== 1 ? ` start="${start}"` : '';
      return `<${tag}${from} ${look.list}>${items.map((item) => this.listitem(item)).join('')}</${tag}>\n`;
    },
    checkbox({ checked }) {
      return checked ? '☑ ' : '☐ ';
    },
    table({ header, rows }) {
      const row = (cells: readonly Tokens.TableCell[]) =>
        `<tr>${cells.map((cell) => this.tablecell(cell)).join('')}</tr>`;
      return `<table width="100%" cellpadding="0" cellspacing="0" border="0" ${look.table}>${[header, ...rows].map(row).join('\n')}</table>\n`;
    },
    tablecell({ header, align, tokens }) {
      const tag = header ? 'th' : 'td';
      return `<${tag} class="ink line" style="text-align:${align ?? 'start'};${look.cell}">${this.parser.parseInline(tokens)}</${tag}>`;
    },
    link({ href, tokens }) {
      const target = safeTarget(href);
      const label = this.parser.parseInline(tokens);
      return target === null ? label : `<a href="${escapeHtml(target)}" ${look.link}>${label}</a>`;
    },
    image({ href, title, text }) {
      const source = pictureSource(href);
      if (source === null) return escapeHtml(text);
      const width = pictureWidth(title);
      const attributes = `src="${escapeHtml(source)}" alt="${escapeHtml(text)}"${width === null ? '' : ` width="${width}"`}`;
      return `<img ${attributes} style="display:block;border:0;max-width:100%;height:auto">`;
    },
    text(token) {
      return 'tokens' in token && token.tokens ? this.parser.parseInline(token.tokens) : escapeHtml(token.text);
    },
  });
}
