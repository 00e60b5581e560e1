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
 * The Cache-Control of everything but the files of the site. Firebase Hosting only passes cookies on to the browser if
 * it contains `private`.
 */
export const NO_STORE = 'private, no-store';

/** A hash goes into a header and must not be able to add a directive to it. */
const hashes = z.array(z.string().regex(/^sha(?:256|384|512)-[A-Za-z0-9+/]+={0,2}$/)).default([]);
const pagePolicy = z.object({ styleHashes: hashes, scriptHashes: hashes });

/** Hashes of the inline styles and scripts of the site's pages, as CSP source expressions such as `sha256-…`. */
export interface PagePolicy extends z.output<typeof pagePolicy> {
  /** The policy of the admin instead, or `off`. */
  readonly own?: string | undefined;
}

/**
 * Reads the file that the site's build writes beside the site. Without it, nothing inline is allowed. Throws if it is
 * broken.
 */
export async function readPagePolicy(file: string): Promise<PagePolicy> {
  const { data, error } = pagePolicy.safeParse(JSON.parse(await readFile(file, 'utf8').catch(() => '{}')));
  if (error) throw new Error(`${file}: ${String(error.issues[0]?.path[0])} contains something that is not a hash`);
  return data;
}

/** On pages that no window of another site needs to reach. */
export const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin' };

/** On every response of a site that visitors reach over TLS. */
export const TLS_ONLY = ['Strict-Transport-Security', 'max-age=31536000'] as const;

export type PageHeaders = Record<string, string> & typeof PLAIN_HEADERS;

/**
 * The headers of the dashboard's page. Its frames show previews of emails. No text can become markup or a script in it.
 */
export function dashboardHeaders(policy: PagePolicy): PageHeaders {
  return pageHeaders(policy, { 'frame-src': [] }, ["require-trusted-types-for 'script'", "trusted-types 'none'"]);
}

/**
 * The headers of the site's pages, which load, run and send to nothing but the site itself and `sources`, and cannot be
 * framed. With a policy of the admin, they are restricted by that alone.
 */
export function pageHeaders(
  { styleHashes, scriptHashes, own: ownPolicy }: PagePolicy,
  sources: PageSources = {},
  more: readonly string[] = [],
): PageHeaders {
  if (ownPolicy !== undefined) {
    const policy = ownPolicy === 'off' ? "frame-ancestors 'none'" : ownPolicy;
    return { ...PLAIN_HEADERS, 'Content-Security-Policy': policy };
  }
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
    ...more,
  ];
  return {
    ...PLAIN_HEADERS,
    ...ISOLATED,
    'Content-Security-Policy': directives.join('; '),
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}
