import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import * as z from 'zod';
import { type Asset, makeAsset } from '../pages/site/asset.ts';
import { respondWithAsset } from '../pages/site/respond.ts';
import { allowedOrigin, type RouteContext } from '../routing/request-context.ts';
import { PLAIN_HEADERS } from '../routing/security-headers.ts';

/** The scripts for pages on other sites, in memory, by URL path. Paths are looked up and never opened as files. */
export type EmbedScripts = ReadonlyMap<string, Asset>;

/** A versioned script never changes. The unversioned one is replaced soon after a release. */
const CACHE_CONTROL = { version: 'public, max-age=31536000, immutable', latest: 'public, max-age=300' };

const compress = promisify(brotliCompress);
const script = z.object({ file: z.string() });
/** Entry scripts. Older versions only have the first one. */
const other = script.optional();
const scriptList = z.object({ main: script, count: other, share: other, success: other });

/**
 * Reads every version of the scripts in the folder (default: that of early-access-kit), and which ones `/embed.js`,
 * `/embed-count.js`, `/embed-share.js` and `/embed-success.js` refer to. Returns an empty map if they are not built.
 * Throws if `embed.json` is invalid.
 *
 * @example
 * createEarlyAccess({ store, embed: await loadEmbed() });
 */
export async function loadEmbed(folder: string = kitScripts()): Promise<EmbedScripts> {
  const scripts = new Map<string, Asset>();
  const list = await readFile(join(folder, 'embed.json'), 'utf8').catch(() => null);
  if (list === null) return scripts;
  const { data: latest } = scriptList.safeParse(JSON.parse(list));
  if (!latest) throw new Error('embed.json names no script');
  const latestPaths = new Map([
    [latest.main.file, '/embed.js'],
    [latest.count?.file, '/embed-count.js'],
    [latest.share?.file, '/embed-share.js'],
    [latest.success?.file, '/embed-success.js'],
  ]);
  for (const file of await readdir(folder)) {
    if (!/^embed-.+\.js(\.map)?$/.test(file)) continue;
    const bytes = new Uint8Array(await readFile(join(folder, file)));
    // The highest compression level is affordable, because there are few scripts and every host's visitors load them.
    const br = new Uint8Array(await compress(bytes));
    const asset = { ...(await makeAsset(file, bytes, { br })), cacheControl: CACHE_CONTROL.version };
    scripts.set(`/${file}`, asset);
    const path = latestPaths.get(file);
    if (path) scripts.set(path, { ...asset, cacheControl: CACHE_CONTROL.latest });
  }
  return scripts;
}

export function kitScripts(): string {
  return join(dirname(createRequire(import.meta.url).resolve('early-access-kit/package.json')), 'dist/script');
}

/** Mounts the scripts. Any page may run them. Pages of allowed origins may also use `integrity`, which needs CORS. */
export function mountEmbed(context: RouteContext, scripts: EmbedScripts): void {
  const headers = { ...PLAIN_HEADERS, 'Cross-Origin-Resource-Policy': 'cross-origin' };
  for (const [path, script] of scripts) {
    context.app.get(path, (c) => {
      const response = respondWithAsset(c, script, headers);
      response.headers.append('Vary', 'Origin');
      const origin = allowedOrigin(c, context);
      if (origin !== undefined) response.headers.set('Access-Control-Allow-Origin', origin);
      return response;
    });
  }
}
