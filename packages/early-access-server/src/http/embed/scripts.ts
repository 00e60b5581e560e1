import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { type Asset, makeAsset } from '../site/asset.ts';

/** The scripts for pages of other sites, in memory, by URL path. Paths are looked up, never opened. */
export type EmbedScripts = ReadonlyMap<string, Asset>;

const LATEST = 'embed.js';
/** A page that names a version gets the same bytes for ever; one that does not has another version soon after there is one. */
const CACHE_CONTROL = { version: 'public, max-age=31536000, immutable', latest: 'public, max-age=300' };

const compress = promisify(brotliCompress);

/**
 * Reads every version of the scripts that lies in the folder, and which of them `/embed.js` is. Answers with none where they are not
 * built. Throws where the list of them is broken.
 */
export async function loadEmbed(folder: string): Promise<EmbedScripts> {
  const scripts = new Map<string, Asset>();
  const list = await readFile(join(folder, 'embed.json'), 'utf8').catch(() => null);
  if (list === null) return scripts;
  const latest = latestIn(list);
  for (const file of await readdir(folder)) {
    if (!/^embed-.+\.js(\.map)?$/.test(file)) continue;
    const bytes = new Uint8Array(await readFile(join(folder, file)));
    // With more time than others get: these are few, and loaded by everybody's visitors.
    const br = new Uint8Array(await compress(bytes));
    const asset = { ...(await makeAsset(file, bytes, { br })), cacheControl: CACHE_CONTROL.version };
    scripts.set(`/${file}`, asset);
    if (file === latest) scripts.set(`/${LATEST}`, { ...asset, cacheControl: CACHE_CONTROL.latest });
  }
  return scripts;
}

function latestIn(list: string): string {
  const { main }: { main?: { file?: unknown } } = JSON.parse(list);
  if (typeof main?.file !== 'string') throw new Error('embed.json names no script');
  return main.file;
}
