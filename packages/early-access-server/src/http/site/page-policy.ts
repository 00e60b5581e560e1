import { readFile } from 'node:fs/promises';
import { PLAIN_HEADERS } from '../plain-headers.ts';

/** Hashes of what the site's pages hold inline, as CSP source expressions such as `sha256-…`. */
export interface PagePolicy {
  readonly styleHashes: readonly string[];
  readonly scriptHashes: readonly string[];
}

const HASH = /^sha(?:256|384|512)-[A-Za-z0-9+/]+={0,2}$/;

/** Reads what the site's build wrote beside the site; nothing inline is allowed where it wrote nothing. Throws for a broken file. */
export async function readPagePolicy(file: string): Promise<PagePolicy> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const policy: unknown = JSON.parse(text);
  return { styleHashes: hashesIn(policy, 'styleHashes', file), scriptHashes: hashesIn(policy, 'scriptHashes', file) };
}

function hashesIn(policy: unknown, name: string, file: string): string[] {
  const hashes: unknown = typeof policy === 'object' && policy !== null ? Reflect.get(policy, name) : undefined;
  if (hashes === undefined) return [];
  if (!Array.isArray(hashes)) throw new Error(`${file}: ${name} must be a list`);
  return hashes.map((hash: unknown) => {
    // What goes into a header must not be able to add a directive to it.
    if (typeof hash !== 'string' || !HASH.test(hash)) throw new Error(`${file}: ${name} holds what is no hash`);
    return hash;
  });
}

/** The headers of every page: nothing is loaded, run, framed or sent that is not the site's own. */
export function pageHeaders({ styleHashes, scriptHashes }: PagePolicy, https: boolean): Record<string, string> {
  const withHashes = (hashes: readonly string[]) => ["'self'", ...hashes.map((hash) => `'${hash}'`)].join(' ');
  const directives = [
    "default-src 'none'",
    `script-src ${withHashes(scriptHashes)}`,
    `style-src ${withHashes(styleHashes)}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    ...baseHeaders(https),
    'Content-Security-Policy': directives.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}

/** The headers of every file of the site. */
export function baseHeaders(https: boolean): Record<string, string> {
  return { ...PLAIN_HEADERS, ...(https && { 'Strict-Transport-Security': 'max-age=31536000' }) };
}
