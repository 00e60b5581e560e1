import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { PageSources } from '../../app/human/human-check.ts';

/** For all responses that are not pages: if one is opened as a page, the browser runs, loads and frames nothing. */
export const PLAIN_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * The Cache-Control of everything except the site's files. Firebase Hosting only forwards cookies to the browser if it
 * contains `private`.
 */
export const NO_STORE = 'private, no-store';

/** Hashes are put into a header, so they must not be able to add a directive. */
const hashes = z.array(z.string().regex(/^sha(?:256|384|512)-[A-Za-z0-9+/]+={0,2}$/)).default([]);
const pagePolicy = z.object({ styleHashes: hashes, scriptHashes: hashes });

/** Hashes of the inline styles and scripts of the site's pages, as CSP source expressions such as `sha256-…`. */
export interface PagePolicy extends z.output<typeof pagePolicy> {
  /** A policy set by the admin that replaces the default one, or `off`. */
  readonly own?: string | undefined;
}

/**
 * Reads the file with hashes that the site's build wrote. Without it, inline code is not allowed. Throws if the file is
 * invalid.
 */
export async function readPagePolicy(file: string): Promise<PagePolicy> {
  const { data, error } = pagePolicy.safeParse(JSON.parse(await readFile(file, 'utf8').catch(() => '{}')));
  if (error) throw new Error(`${file}: ${String(error.issues[0]?.path[0])} contains something that is not a hash`);
  return data;
}

/** For pages that windows of other sites need not reach. */
export const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin' };

/** For all responses of a site that visitors reach over TLS. */
export const TLS_ONLY = ['Strict-Transport-Security', 'max-age=31536000'] as const;

export type PageHeaders = Record<string, string> & typeof PLAIN_HEADERS;

/**
 * The headers of the dashboard's page. Its frames show previews of emails. Trusted Types prevent text from becoming
 * markup or script.
 */
export function dashboardHeaders(policy: PagePolicy): PageHeaders {
  return pageHeaders(policy, { 'frame-src': [] }, ["require-trusted-types-for 'script'", "trusted-types 'none'"]);
}

/**
 * The headers of the site's pages. They may only load from, run and send to the site itself and `sources`, and cannot
 * be framed. A policy set by the admin replaces these restrictions.
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
