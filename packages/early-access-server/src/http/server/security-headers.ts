import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { PageSources } from '../../app/human/human-check.ts';

/** On every response that is not a page: a browser that opens it as a page runs, loads and frames nothing. */
export const PLAIN_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * The Cache-Control of everything but the files of the site. Firebase Hosting only passes cookies on to the browser if it contains
 * `private`.
 */
export const NO_STORE = 'private, no-store';

/** A hash goes into a header and must not be able to add a directive to it. */
const hashes = z.array(z.string().regex(/^sha(?:256|384|512)-[A-Za-z0-9+/]+={0,2}$/)).default([]);
const pagePolicy = z.object({ styleHashes: hashes, scriptHashes: hashes });

/** Hashes of the inline styles and scripts of the site's pages, as CSP source expressions such as `sha256-…`. */
export type PagePolicy = z.output<typeof pagePolicy>;

/** Reads the file that the site's build writes beside the site. Without it, nothing inline is allowed. Throws if it is broken. */
export async function readPagePolicy(file: string): Promise<PagePolicy> {
  const { data, error } = pagePolicy.safeParse(JSON.parse(await readFile(file, 'utf8').catch(() => '{}')));
  if (error) throw new Error(`${file}: ${String(error.issues[0]?.path[0])} holds what is no hash`);
  return data;
}

/** The headers of the site's pages, which load, run and send to nothing but the site itself and `sources`, and cannot be framed. */
export function pageHeaders(
  { styleHashes, scriptHashes }: PagePolicy,
  https: boolean,
  sources: PageSources = {},
): Record<string, string> {
  const own = (directive: keyof PageSources, ...more: readonly string[]) =>
    [directive, "'self'", ...more, ...(sources[directive] ?? [])].join(' ');
  const quoted = (hashes: readonly string[]) => hashes.map((hash) => `'${hash}'`);
  const directives = [
    "default-src 'none'",
    own('script-src', ...quoted(scriptHashes)),
    own('style-src', ...quoted(styleHashes)),
    "img-src 'self' data:",
    "font-src 'self'",
    own('connect-src'),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(sources['frame-src'] ? [own('frame-src')] : []),
  ];
  return {
    ...baseHeaders(https),
    'Content-Security-Policy': directives.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}

/** The headers of the site's other files. */
export function baseHeaders(https: boolean): Record<string, string> {
  return { ...PLAIN_HEADERS, ...(https && { 'Strict-Transport-Security': 'max-age=31536000' }) };
}
