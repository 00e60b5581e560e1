import { createHash } from 'node:crypto';

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const STYLE = /<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi;
/** Types of script elements that browsers do not run. */
const DATA_TYPE = /\btype\s*=\s*["']?(?:application\/(?:ld\+)?json|text\/plain)\b/i;

/** Returns the texts of all style elements. */
export function styleTexts(html: string): string[] {
  return [...html.matchAll(STYLE)].map(([, text = '']) => text);
}

/** Returns the texts of all inline scripts that browsers run. */
function scriptTexts(html: string): string[] {
  return [...html.matchAll(SCRIPT)]
    .filter(([, attributes = '', text = '']) => text.trim() !== '' && !DATA_TYPE.test(attributes))
    .map(([, , text = '']) => text);
}

/**
 * Returns everything that a policy without `unsafe-inline` blocks: event handlers, style attributes, and inline scripts
 * without one of these hashes.
 */
export function inlineViolations(html: string, scriptHashes: readonly string[] = []): string[] {
  const scripts = scriptTexts(html).filter((text) => !scriptHashes.includes(hashText(text)));
  const markup = html.replace(SCRIPT, '').replace(STYLE, '');
  const tags = [...markup.matchAll(/<[a-z][^>]*\s(?:on[a-z]+|style)\s*=[^>]*>/gi)].map(([tag]) => tag);
  const addresses = [...markup.matchAll(/<[a-z][^>]*=\s*["']?\s*javascript:[^>]*>/gi)].map(([tag]) => tag);
  return [...scripts, ...tags, ...addresses];
}

/** Hashes of the pages' inline elements, in Content-Security-Policy syntax. */
export interface Policy {
  readonly styleHashes: readonly string[];
  readonly scriptHashes: readonly string[];
}

export function createPolicy(pages: readonly string[]): Policy {
  const hashTexts = (texts: (html: string) => string[]) => [...new Set(pages.flatMap(texts).map(hashText))];
  return { styleHashes: hashTexts(styleTexts), scriptHashes: hashTexts(scriptTexts) };
}

function hashText(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
