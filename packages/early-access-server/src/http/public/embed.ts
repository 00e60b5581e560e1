import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { OriginPolicy } from '../../app/access/origins.ts';
import { type Asset, makeAsset } from '../pages/site/asset.ts';
import { type AssetRequest, respond } from '../pages/site/respond.ts';
import { baseHeaders } from '../server/security-headers.ts';

/** The scripts for pages of other sites, in memory, by URL path. Paths are looked up, never opened. */
export type EmbedScripts = ReadonlyMap<string, Asset>;

const LATEST = 'embed.js';
/** A versioned script never changes. The unversioned one is soon replaced after a release. */
const CACHE_CONTROL = { version: 'public, max-age=31536000, immutable', latest: 'public, max-age=300' };

const compress = promisify(brotliCompress);

/**
 * Reads every version of the scripts in the folder, by default that of early-access-kit, and which of them `/embed.js` is. Returns an empty
 * map if they are not built. Throws if `embed.json` is broken.
 */
export async function loadEmbed(folder: string = kitScripts()): Promise<EmbedScripts> {
  const scripts = new Map<string, Asset>();
  const list = await readFile(join(folder, 'embed.json'), 'utf8').catch(() => null);
  if (list === null) return scripts;
  const latest = findLatest(list);
  for (const file of await readdir(folder)) {
    if (!/^embed-.+\.js(\.map)?$/.test(file)) continue;
    const bytes = new Uint8Array(await readFile(join(folder, file)));
    // The highest level is affordable: there are few scripts, and the visitors of every host load them.
    const br = new Uint8Array(await compress(bytes));
    const asset = { ...(await makeAsset(file, bytes, { br })), cacheControl: CACHE_CONTROL.version };
    scripts.set(`/${file}`, asset);
    if (file === latest) scripts.set(`/${LATEST}`, { ...asset, cacheControl: CACHE_CONTROL.latest });
  }
  return scripts;
}

/** The folder of the scripts in the installed package. */
export function kitScripts(): string {
  return join(dirname(createRequire(import.meta.url).resolve('early-access-kit/package.json')), 'dist/script');
}

function findLatest(list: string): string {
  const { main }: { main?: { file?: unknown } } = JSON.parse(list);
  if (typeof main?.file !== 'string') throw new Error('embed.json names no script');
  return main.file;
}

/** The parts of a request that decide the response with a script. */
export interface ScriptRequest extends AssetRequest {
  readonly origin: string | undefined;
  readonly host: string | undefined;
}

/**
 * Returns a function that responds to a GET of a script, and returns undefined for every other path. Any page may run the scripts.
 * Pages of an allowed origin may also check them by their hash, which takes CORS.
 */
export function scriptResponder(
  scripts: EmbedScripts,
  origins: OriginPolicy,
  https: boolean,
): (request: ScriptRequest) => Response | undefined {
  const headers = { ...baseHeaders(https), 'Cross-Origin-Resource-Policy': 'cross-origin' };
  return (request) => {
    const script = scripts.get(request.path);
    if (script === undefined) return undefined;
    const response = respond(script, 200, request, headers);
    response.headers.append('Vary', 'Origin');
    if (request.origin !== undefined && origins.judge(request.origin, request.host) === 'allowed') {
      response.headers.set('Access-Control-Allow-Origin', request.origin);
    }
    return response;
  };
}
