import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { findBlocked, findBlockedInStyle } from '../../../app/access/page-policy.ts';
import { type PagePolicy, readPagePolicy } from '../../routing/security-headers.ts';
import { type Asset, makeAsset } from './asset.ts';

/** A built site in memory. Paths are looked up and never opened as files, so path traversal is impossible. */
export interface Site {
  /** The keys are URL paths, decoded, with a leading slash. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The page for all other paths. */
  readonly notFound: Asset | null;
  readonly policy: PagePolicy;
  /** False: requests for pages get a message that the site is not built yet. */
  readonly isBuilt: boolean;
}

export const UNBUILT_SITE: Site = {
  assets: new Map(),
  notFound: null,
  policy: { styleHashes: [], scriptHashes: [] },
  isBuilt: false,
};

const decompressBrotli = promisify(brotliDecompress);

/**
 * Reads the site into memory. Compressed copies of a file (`.br`, `.gz`) are used if they exist; a `.br` needs no
 * original. Returns `UNBUILT_SITE` if the folder has no `index.html`. `policy` is the pages' Content-Security-Policy,
 * or `off`. By default they may only load files of the site.
 *
 * @example
 * createEarlyAccess({ store, site: await loadSite('dist') });
 */
export async function loadSite(folder: string, { policy }: { policy?: string | undefined } = {}): Promise<Site> {
  const files = await listFiles(folder);
  const paths = new Set([...files].map((file) => servedPath(file, files)));
  if (!paths.has('index.html')) return UNBUILT_SITE;
  const read = async (file: string) =>
    files.has(file) ? new Uint8Array(await readFile(join(folder, file))) : undefined;
  const assets = new Map<string, Asset>();
  let notFound: Asset | null = null;
  for (const path of paths) {
    const ready = { br: await read(`${path}.br`), gzip: await read(`${path}.gz`) };
    const bytes = (await read(path)) ?? new Uint8Array(await decompressBrotli(ready.br ?? ''));
    const asset = await makeAsset(path, bytes, ready);
    if (path === '404.html') notFound = asset;
    else for (const url of listUrls(path)) assets.set(url, asset);
  }
  const built = await readPagePolicy(join(folder, '..', 'policy.json'));
  return { assets, notFound, policy: { ...built, own: policy }, isBuilt: true };
}

/** Everything in the site's HTML and stylesheets that its policy blocks. `url` is the site's public URL. */
export function findBlockedInSite({ assets, notFound }: Site, policy: string, url: URL): readonly string[] {
  const blocked = [...new Set([...assets.values(), ...(notFound ? [notFound] : [])])].flatMap((asset) => {
    const find = asset.isPage ? findBlocked : /^text\/css\b/.test(asset.contentType) ? findBlockedInStyle : null;
    return find?.(new TextDecoder().decode(asset.variants.get('identity')?.bytes), [policy], url) ?? [];
  });
  return [...new Set(blocked)];
}

/** The path that the file is served at. A `.gz` without its original is an ordinary download. */
function servedPath(file: string, files: ReadonlySet<string>): string {
  if (file.endsWith('.br')) return file.slice(0, -'.br'.length);
  const original = file.slice(0, -'.gz'.length);
  return file.endsWith('.gz') && (files.has(original) || files.has(`${original}.br`)) ? original : file;
}

/** Pages only have clean paths: `index.html` at `/`, `a.html` at `/a`, `a/index.html` at `/a` and `/a/`. */
function listUrls(path: string): string[] {
  if (!path.endsWith('.html')) return [`/${path}`];
  const page = `/${path.slice(0, -'.html'.length)}`;
  if (page === '/index') return ['/'];
  return page.endsWith('/index') ? [page.slice(0, -'/index'.length), page.slice(0, -'index'.length)] : [page];
}

/** All files below the folder except hidden ones, with forward slashes. Empty if there is no such folder. */
async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, sep).length).split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.') && part !== '.well-known'));
  return new Set(files);
}
