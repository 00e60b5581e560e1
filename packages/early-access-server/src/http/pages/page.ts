import { createHash } from 'node:crypto';
import { parseAccept } from 'hono/utils/accept';
import type { BrandOfSite } from '../../app/brand/brand.ts';
import { findLanguage, getDirection, type Language } from '../../app/brand/language.ts';
import { derivePalettes, type Palette } from '../../app/brand/palette.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';
import { NO_STORE } from '../server/security-headers.ts';

/** The first that the pages are written in, of the `lang` field of a form and the browser's Accept-Language; else English. */
export function chooseLanguage(field: string | null | undefined, acceptLanguage: string | undefined): Language {
  const accepted = parseAccept((acceptLanguage ?? '').slice(0, 1_000)).filter(({ q }) => q > 0);
  for (const tag of [field ?? '', ...accepted.map(({ type }) => type)]) {
    const known = findLanguage(tag);
    if (known) return known;
  }
  return 'en';
}

/** The rights of a page besides being read, and its needs. None by default. */
interface PageRights {
  /** The one inline script it runs, which may call its own origin. */
  readonly script?: string;
  /** Styles that only it needs. */
  readonly style?: string;
  /** Whether it sends a form to its own origin. */
  readonly sendsForm?: boolean;
  readonly referrerPolicy?: 'strict-origin-when-cross-origin' | 'no-referrer';
}

interface Page {
  readonly language: Language;
  readonly title: string;
  /** HTML. */
  readonly content: string;
  /** HTML of the head besides the title and the style. */
  readonly head?: string;
}

/** Builds the pages that the server itself writes, in the colors and styles of the brand. */
export function pageBuilder({ name, colors, styles }: BrandOfSite, rights: PageRights = {}) {
  const { script, style: own = '', sendsForm = false, referrerPolicy = 'strict-origin-when-cross-origin' } = rights;
  const style = createStyle(derivePalettes(colors)) + own + (styles ?? '');
  const policy = [
    "default-src 'none'",
    `style-src '${hashSource(style)}'`,
    ...(styles === undefined ? [] : ["font-src 'self'", "img-src 'self' data:"]),
    ...(script === undefined ? [] : [`script-src '${hashSource(script)}'`, "connect-src 'self'"]),
    "base-uri 'none'",
    `form-action ${sendsForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ];
  return {
    /** Include a policy that allows only the styles and rights of the pages. */
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': NO_STORE,
      'Content-Security-Policy': policy.join('; '),
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': referrerPolicy,
    },
    /** The hash of the pages' styles, as a CSP source expression without quotes. */
    styleHash: hashSource(style),
    html: ({ language, title, content, head = '' }: Page) => `<!doctype html>
<html lang="${language}" dir="${getDirection(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(`${title} · ${name}`)}</title>
<style>${style}</style>
${head}</head>
<body>
<main>
<p class="brand"><bdi>${escapeHtml(name)}</bdi></p>
${content}
</main>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`,
  };
}

/** As a CSP source expression without quotes. */
function hashSource(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function createStyle({ light, dark }: { readonly light: Palette; readonly dark: Palette }): string {
  const color = (name: keyof Palette) => `light-dark(${light[name]}, ${dark[name]})`;
  return `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: ${color('paper')};
  color: ${color('ink')}; font: 1.0625rem/1.6 system-ui, sans-serif; }
main { box-sizing: border-box; width: min(100% - 2rem, 34rem); margin-block: 1rem; padding: clamp(1.5rem, 6vw, 3rem);
  border-radius: 12px; background: ${color('sheet')}; border: 1px solid ${color('line')}; overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: clamp(1.5rem, 5vw, 2rem); line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
:is(:lang(ar), :lang(ja), :lang(zh)) h1 { letter-spacing: 0; line-height: 1.4; }
:lang(ja) h1 { word-break: auto-phrase; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.125rem; line-height: 1.3; }
p { margin: 0 0 1.75rem; text-wrap: pretty; }
.also { margin: 1rem 0 0; }
.brand { margin: 0 0 1.25rem; color: ${color('muted')}; font-size: .9375rem; font-weight: 600; }
a { color: ${color('link')}; font-weight: 600; text-underline-offset: .2em; }
a:focus-visible { outline: 3px solid currentColor; outline-offset: 4px; border-radius: 2px; }
button, .button { box-sizing: border-box; display: inline-block; padding: .75rem 1.5rem; border: 1px solid transparent;
  border-radius: 8px; background: ${color('accent')}; color: ${color('onAccent')}; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; cursor: pointer; }
button:focus-visible, .button:focus-visible { outline: 3px solid ${color('link')}; outline-offset: 3px; border-radius: 8px; }
.button + a { display: inline-block; margin: .75rem 1.5rem; }
button:disabled { opacity: .6; cursor: progress; }
pre { margin: 0 0 1.75rem; padding: .875rem 1rem; white-space: pre-wrap; border: 1px solid ${color('line')}; border-radius: 8px;
  font-size: .875rem; }
@media (max-width: 30rem) { button, .button { width: 100%; } .button + a { margin: 1.25rem 0 0; } }
[role=alert]:not(:empty) { margin: 1.25rem 0 0; }
[role=alert]:empty { margin: 0; }
h1:focus { outline: none; }
`;
}
