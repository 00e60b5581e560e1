import { escapeHtml } from 'early-access-server/mail';
import { SITE_NAME } from '../src/content/product.ts';
import type { Page } from '../src/pages/pages.ts';

/** The font of the headlines. Preloaded, because browsers otherwise request it only during layout. */
const TEXT_FONT = '/assets/source-serif-2.woff2';

/** The background of both color schemes, for the browser's toolbar. Must match `styles/tokens.css`. */
const PAPER = { light: '#f1ece0', dark: '#170d0a' };

const CARD_IMAGE = { path: '/og.png', width: 1200, height: 630, alt: 'Know your margin before you print. PrintMargin' };

/** Returns the metadata for a page's head. `publicUrl` is the site's origin, or empty if it is unknown. */
export function renderHead(page: Page, publicUrl: string): string {
  const shared = [
    `<title>${escapeHtml(page.title)}</title>`,
    meta('name', 'description', page.description),
    meta('name', 'theme-color', PAPER.light, '(prefers-color-scheme: light)'),
    meta('name', 'theme-color', PAPER.dark, '(prefers-color-scheme: dark)'),
    meta('name', 'color-scheme', 'light dark'),
    `<link rel="preload" href="${TEXT_FONT}" as="font" type="font/woff2" crossorigin>`,
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
  ];
  const own = page.name === 'landing' ? shareTags(page, publicUrl) : [meta('name', 'robots', 'noindex')];
  return [...shared, ...own].join('\n    ');
}

function shareTags(page: Page, publicUrl: string): string[] {
  const home =
    publicUrl === '' ? [] : [link('canonical', `${publicUrl}/`), meta('property', 'og:url', `${publicUrl}/`)];
  return [
    ...home,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', SITE_NAME),
    meta('property', 'og:title', page.title),
    meta('property', 'og:description', page.description),
    // Most consumers of these tags need an absolute URL, which is only known per deployment.
    meta('property', 'og:image', `${publicUrl}${CARD_IMAGE.path}`),
    meta('property', 'og:image:width', String(CARD_IMAGE.width)),
    meta('property', 'og:image:height', String(CARD_IMAGE.height)),
    meta('property', 'og:image:alt', CARD_IMAGE.alt),
    meta('name', 'twitter:card', 'summary_large_image'),
  ];
}

/** Reads `PUBLIC_URL`. Throws unless it is an origin, because pages reference their files by absolute paths. */
export function readPublicUrl(value: string | undefined): string {
  if (value === undefined || value === '') return '';
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url?.protocol.startsWith('http') || url.pathname !== '/') {
    throw new TypeError(`PUBLIC_URL must be an address such as https://printmargin.example, not ${value}`);
  }
  return url.origin;
}

function meta(kind: 'name' | 'property', key: string, content: string, media?: string): string {
  const condition = media === undefined ? '' : ` media="${media}"`;
  return `<meta ${kind}="${key}" content="${escapeHtml(content)}"${condition}>`;
}

function link(rel: string, href: string): string {
  return `<link rel="${rel}" href="${escapeHtml(href)}">`;
}
