import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type PagePolicy, readPagePolicy } from '../security-headers.ts';
import { type Asset, makeAsset, type Precompressed } from './asset.ts';

/** A built site in memory. Paths are looked up, never opened, so no path can lead out of the folder. */
export interface Site {
  /** By URL path, decoded, with its leading slash. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The page for every other path. */
  readonly notFound: Asset | null;
  readonly policy: PagePolicy;
}

const COMPRESSED = { '.br': 'br', '.gz': 'gzip' } as const;

/** Reads the site once. Returns null if the folder has no `index.html` (the site is not built yet). */
export async function loadSite(folder: string): Promise<Site | null> {
  const paths = await listFiles(folder);
  if (!paths.includes('index.html')) return null;
  const assets = new Map<string, Asset>();
  let notFound: Asset | null = null;
  for (const path of paths) {
    if (
      Object.keys(COMPRESSED).some((ending) => path.endsWith(ending) && paths.includes(path.slice(0, -ending.length)))
    )
      continue;
    const asset = await makeAsset(path, await readBytes(join(folder, path)), await readCompressed(folder, path, paths));
    if (path === '404.html') notFound = asset;
    else for (const url of urlsOf(path)) assets.set(url, asset);
  }
  return { assets, notFound, policy: await readPagePolicy(join(folder, '..', 'policy.json')) };
}

/** Pages have only their clean path: `index.html` at `/`, `a.html` at `/a`, `a/index.html` at `/a` and `/a/`. */
function urlsOf(path: string): string[] {
  if (!path.endsWith('.html')) return [`/${path}`];
  const page = `/${path.slice(0, -'.html'.length)}`;
  if (page === '/index') return ['/'];
  return page.endsWith('/index') ? [page.slice(0, -'/index'.length), page.slice(0, -'index'.length)] : [page];
}

/** Every file below the folder except hidden ones, with forward slashes; empty if there is no such folder. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, sep).length).split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.') && part !== '.well-known'));
}

async function readCompressed(folder: string, path: string, paths: readonly string[]): Promise<Precompressed> {
  const ready: Precompressed = {};
  for (const ending of ['.br', '.gz'] as const) {
    if (paths.includes(path + ending)) ready[COMPRESSED[ending]] = await readBytes(join(folder, path + ending));
  }
  return ready;
}

async function readBytes(file: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(file));
}
