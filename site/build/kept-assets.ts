import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Files below `assets/` of a build, by name. */
export type Assets = ReadonlyMap<string, Uint8Array>;

/** Names the assets that a build made itself, beside the pages. */
const OWN = 'assets.json';

/**
 * The assets that the build in `dist` made itself. Pages of it may be open in browsers for hours, and ask for the code of the overlay
 * only then. What it had kept of the one before it is let go.
 */
export function takeAssets(dist: string): Assets {
  const list = path.join(dist, OWN);
  if (!existsSync(list)) return new Map();
  const names: readonly string[] = JSON.parse(readFileSync(list, 'utf8'));
  return new Map(names.map((name) => [name, readFileSync(path.join(assetsOf(dist), name))]));
}

/** Puts the assets of the build before into the one in `dist`, which is whole. Their names hold a hash, so that none is another's. */
export function keepAssets(dist: string, before: Assets): void {
  const folder = assetsOf(dist);
  mkdirSync(folder, { recursive: true });
  const own = readdirSync(folder).sort();
  writeFileSync(path.join(dist, OWN), `${JSON.stringify(own)}\n`);
  for (const [name, bytes] of before) if (!own.includes(name)) writeFileSync(path.join(folder, name), bytes);
}

function assetsOf(dist: string): string {
  return path.join(dist, 'client', 'assets');
}
