import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and those above it that are missing, for its own user only. Throws if that is not possible. Node's
 * own `recursive` never ends in a file system that says "not found" to whoever creates something.
 */
export function createFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !isFolder(folder); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.toReversed()) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      // Another process may have been faster.
      if (!isFolder(folder)) throw error;
    }
  }
}

/** The root always is one, so the way up ends. */
function isFolder(path: string): boolean {
  return dirname(path) === path || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
