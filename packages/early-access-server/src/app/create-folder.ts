import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents, accessible only to the current user. Throws if that is not possible. Node's
 * `recursive` option loops forever on a file system that returns ENOENT for every creation.
 */
export function createFolder(path: string): void {
  const folder = resolve(path);
  if (isFolder(folder)) return;
  createFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!isFolder(folder)) throw error;
  }
}

/** The root is always a folder, so the recursion ends. */
function isFolder(path: string): boolean {
  return dirname(path) === path || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
