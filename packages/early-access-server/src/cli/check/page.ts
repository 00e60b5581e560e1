import { createHash } from 'node:crypto';
import { readAttribute } from '../../app/access/page-policy.ts';
import { describeError } from '../../app/ports/log.ts';

const TIMEOUT_MS = 15_000;
/** Larger pages and scripts are truncated; everything relevant is near the beginning. */
const MAX_BYTES = 5_000_000;

export interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly url: URL;
  readonly body: Buffer;
}

/** Fetches a URL, or returns in words why that failed. */
export async function tryFetch(url: URL, init: RequestInit = {}): Promise<Fetched | string> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = Buffer.from(await response.arrayBuffer()).subarray(0, MAX_BYTES);
    return { status: response.status, headers: response.headers, url: new URL(response.url || url), body };
  } catch (error) {
    return describeError(error instanceof Error && error.cause ? error.cause : error);
  }
}

/** Information about the form's page, found in its HTML. */
export interface SitePage {
  readonly url: URL;
  /** The script tag of a page without a bundler, or null. */
  readonly embed: { readonly url: URL; readonly integrity: string | null } | null;
  readonly policies: readonly string[];
  readonly html: string;
}

export function readPage({ url, headers, body }: Fetched): SitePage {
  const html = body.toString();
  const [tag = ''] = /<script\b[^>]*\bsrc=["']?[^"'\s>]*\/embed(?:-[\w.-]+)?\.js\b[^>]*>/i.exec(html) ?? [];
  const source = readAttribute(tag, 'src');
  const metas = [...html.matchAll(/<meta\b[^>]*http-equiv=["']?content-security-policy["']?[^>]*>/gi)];
  const policies = [headers.get('content-security-policy'), ...metas.map(([meta]) => readAttribute(meta, 'content'))];
  return {
    url,
    embed: source === null ? null : { url: new URL(source, url), integrity: readAttribute(tag, 'integrity') },
    policies: policies.flatMap((policy) => policy?.split(',') ?? []),
    html,
  };
}

/** Returns whether the script matches one of the hashes in an `integrity` attribute. */
export function hasIntegrity(script: Buffer, integrity: string): boolean {
  return integrity.split(/\s+/).some((entry) => {
    const [, algorithm, digest] = /^(sha(?:256|384|512))-([\w+/=]+)/.exec(entry) ?? [];
    return algorithm !== undefined && createHash(algorithm).update(script).digest('base64') === digest;
  });
}
