import { createHash } from 'node:crypto';
import { parseAccept } from 'hono/utils/accept';
import type { BrandOfSite } from '../../app/brand/brand.ts';
import { fontFile, markFile } from '../../app/brand/brand-files.ts';
import { findLanguage, getDirection, type Language, readPrimaryTag } from '../../app/brand/language.ts';
import type { Palette } from '../../app/brand/palette.ts';
import { brandTokens, fontFace } from '../../app/brand/tokens.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { ISOLATED, NO_STORE } from '../routing/security-headers.ts';

/** The first available language, in the order of a form's `lang` field, the browser's Accept-Language, and English. */
export function chooseLanguage(field: string | null | undefined, acceptLanguage: string | undefined): Language {
  for (const tag of [field ?? '', ...listAccepted(acceptLanguage)]) {
    const known = findLanguage(tag);
    if (known) return known;
  }
  return 'en';
}

/** The primary subtag of the page's or the browser's language, such as `pt` for `pt-BR`. Null if neither is valid. */
export function findVisitorLanguage(field: unknown, acceptLanguage: string | undefined): string | null {
  for (const tag of [typeof field === 'string' ? field : '', ...listAccepted(acceptLanguage)]) {
    const primary = readPrimaryTag(tag);
    if (primary !== null) return primary;
  }
  return null;
}

/** The languages that the browser accepts, preferred first. */
function listAccepted(acceptLanguage = ''): readonly string[] {
  return parseAccept(acceptLanguage.slice(0, 1_000))
    .filter(({ q }) => q > 0)
    .map(({ type }) => type);
}

/** What a page may do and needs, beyond being shown. Default: nothing. */
export interface PageRights {
  /** The page's only inline script, which may call its own origin. */
  readonly script?: string;
  /** Allows a form that posts to its own origin. */
  readonly sendsForm?: boolean;
  readonly referrerPolicy?: 'strict-origin-when-cross-origin' | 'no-referrer';
  /**
   * Origins that may frame the page, in addition to its own. Null: any page, including those without an origin.
   * Default: none.
   */
  readonly framedBy?: readonly string[] | null;
  /** Allows sandboxed frames to open the page in a tab. Browsers block that for pages with COOP. Default: false. */
  readonly opensFromFrames?: boolean;
  /** Origins of its images, in addition to its own. Null (default): it has no images. */
  readonly pictures?: readonly string[] | null;
  /** CSS placed after the common styles and before those of the brand. */
  readonly style?: (color: PaletteColor) => string;
}

/** A cross-origin isolated page (COEP) can only frame pages with both headers. `framedBy` decides who may. */
const FRAMEABLE = {
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

type BrandTokens = ReturnType<typeof brandTokens>;

export type PaletteColor = (name: keyof Palette) => string;

interface Page {
  readonly language: Language;
  readonly title: string;
  /** HTML. */
  readonly content: string;
  /** HTML in the head, in addition to the title and styles. */
  readonly head?: string;
  /** Allows search engines to list it. */
  readonly isListed?: boolean;
  /** By default the visitor's system setting decides. */
  readonly theme?: Theme | undefined;
}

export type Theme = 'light' | 'dark';

export function pageBuilder(brand: BrandOfSite, rights: PageRights = {}) {
  const { name, styles } = brand;
  const { script, sendsForm = false, referrerPolicy = 'strict-origin-when-cross-origin' } = rights;
  const { framedBy, opensFromFrames = framedBy !== undefined } = rights;
  const [mark, font] = [markFile(brand), fontFile(brand)];
  const { pictures = styles === undefined && mark === undefined ? null : [] } = rights;
  const { light, dark, radius, family, face } = brandTokens(brand);
  const color: PaletteColor = (name) => `light-dark(${light[name]}, ${dark[name]})`;
  const style =
    (font === undefined ? '' : fontFace(face, font.path, font.weights)) +
    createStyle(color, { radius, family }) +
    (rights.style?.(color) ?? '') +
    (styles ?? '');
  const createPolicy = (leadsTo: string) => [
    "default-src 'none'",
    `style-src '${hashSource(style)}'`,
    ...(styles === undefined && font === undefined ? [] : ["font-src 'self'"]),
    ...(pictures === null ? [] : [["img-src 'self' data:", ...pictures].join(' ')]),
    ...(script === undefined ? [] : [`script-src '${hashSource(script)}'`, "connect-src 'self'"]),
    "base-uri 'none'",
    `form-action ${sendsForm ? `'self'${leadsTo}` : "'none'"}`,
    ...(framedBy === null
      ? []
      : [framedBy?.length ? `frame-ancestors 'self' ${framedBy.join(' ')}` : "frame-ancestors 'none'"]),
  ];
  const createHeaders = (leadsTo = '') => ({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': NO_STORE,
    'Content-Security-Policy': createPolicy(leadsTo).join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': referrerPolicy,
    ...(framedBy !== undefined && FRAMEABLE),
    ...(!opensFromFrames && ISOLATED),
  });
  return {
    /** Headers with a policy that only allows the page's styles and rights. */
    headers: createHeaders(),
    /** Headers for a page whose form may redirect to this URL, because browsers also check a form's redirects. */
    headersLeadingTo: (url: string) => createHeaders(` ${new URL(url).origin}`),
    /** The hash of the pages' styles, as a CSP source expression without quotes. */
    styleHash: hashSource(style),
    html: ({ language, title, content, head = '', isListed = false, theme }: Page) => `<!doctype html>
<html lang="${language}" dir="${getDirection(language)}"${theme === undefined ? '' : ` data-theme="${theme}"`}${framedBy === undefined ? '' : ' data-framed'}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isListed ? '' : '<meta name="robots" content="noindex">\n'}<title>${escapeHtml(`${title} · ${name}`)}</title>
<style>${style}</style>
${head}</head>
<body>
<main>
<p class="brand">${mark === undefined ? '' : `<img src="${mark.path}" alt="">`}<bdi>${escapeHtml(name)}</bdi></p>
${content}
</main>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`,
  };
}

/** A CSP source expression without quotes. */
function hashSource(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function createStyle(color: PaletteColor, { radius, family }: Pick<BrandTokens, 'radius' | 'family'>): string {
  return `
:root { color-scheme: light dark; --radius: ${radius.control}px; --sheet-radius: ${radius.sheet}px; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: ${color('paper')};
  color: ${color('ink')}; font: 1.0625rem/1.6 ${family}system-ui, sans-serif; }
main { box-sizing: border-box; width: min(100% - 2rem, 34rem); margin-block: 1rem; padding: clamp(1.5rem, 6vw, 3rem);
  border-radius: var(--sheet-radius); background: ${color('sheet')}; border: 1px solid ${color('line')}; overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: clamp(1.5rem, 5vw, 2rem); line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
:is(:lang(ar), :lang(ja), :lang(zh)) :is(h1, h2) { letter-spacing: 0; line-height: 1.4; }
:lang(ja) :is(h1, h2, p) { word-break: auto-phrase; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.125rem; line-height: 1.3; text-wrap: balance; }
p { margin: 0 0 1.75rem; text-wrap: pretty; }
.also { margin: 1rem 0 0; }
.also a { font-weight: 400; }
.brand { margin: 0 0 1.25rem; color: ${color('muted')}; font-size: .9375rem; font-weight: 600; }
.brand:has(img) { display: flex; align-items: center; gap: .625rem; }
.brand img { width: auto; max-width: 8rem; height: 2rem; }
a { color: ${color('link')}; font-weight: 600; text-underline-offset: .2em; }
a:focus-visible { outline: 3px solid currentColor; outline-offset: 4px; border-radius: 2px; }
button, .button { box-sizing: border-box; display: inline-block; padding: .75rem 1.5rem; border: 1px solid transparent;
  border-radius: var(--radius); background: ${color('accent')}; color: ${color('onAccent')}; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; cursor: pointer; }
button:focus-visible, .button:focus-visible { outline: 3px solid ${color('link')}; outline-offset: 3px; border-radius: var(--radius); }
.button + a { display: inline-block; margin: .75rem 1.5rem; }
button:disabled { opacity: .6; cursor: progress; }
input, select { box-sizing: border-box; width: 100%; min-height: 3rem; padding: .5rem .875rem; border: 1px solid ${color('muted')};
  border-radius: var(--radius); background: transparent; color: inherit; font: inherit; }
form:dir(rtl) [dir=ltr] { text-align: end; }
::placeholder { color: ${color('muted')}; opacity: 1; }
:is(input, select, summary):focus-visible { outline: 3px solid ${color('link')}; outline-offset: 1px; }
pre { margin: 0 0 1.75rem; padding: .875rem 1rem; white-space: pre-wrap; border: 1px solid ${color('line')}; border-radius: var(--radius);
  font-size: .875rem; }
@media (max-width: 30rem) { button, .button { width: 100%; } .button + a { margin: 1.25rem 0 0; } }
@media (prefers-contrast: more) { ::placeholder, .brand { color: inherit; } :is(main, input, select, pre) { border-color: currentColor; } }
[role=alert]:not(:empty) { margin: 1.25rem 0 0; }
[role=alert]:empty { margin: 0; }
h1:focus { outline: none; }
`;
}
