import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Files below `assets/` of a build, by name. */
export type Assets = ReadonlyMap<string, Uint8Array>;

/** The list of assets that a build itself produced, stored beside the pages. */
const OWN = 'assets.json';

/**
 * Reads the assets that the build in `dist` itself produced. A page may be open for hours before it requests the
 * overlay's code, so the next build keeps them. Assets of earlier builds are dropped.
 */
export function takeAssets(dist: string): Assets {
  const list = path.join(dist, OWN);
  if (!existsSync(list)) return new Map();
  const names: readonly string[] = JSON.parse(readFileSync(list, 'utf8'));
  return new Map(names.map((name) => [name, readFileSync(path.join(locateAssets(dist), name))]));
}

/**
 * Copies the previous build's assets into the finished build in `dist`. Their names contain a hash, so they never
 * collide.
 */
export function keepAssets(dist: string, before: Assets): void {
  const folder = locateAssets(dist);
  mkdirSync(folder, { recursive: true });
  const own = readdirSync(folder).sort();
  writeFileSync(path.join(dist, OWN), `${JSON.stringify(own)}\n`);
  for (const [name, bytes] of before) if (!own.includes(name)) writeFileSync(path.join(folder, name), bytes);
}

function locateAssets(dist: string): string {
  return path.join(dist, 'client', 'assets');
}
