import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '../../..');

export const KIT = 'packages/early-access-kit';
export const SERVER = 'packages/early-access-server';
export const FIREBASE = 'packages/early-access-firebase';
export const CREATE = 'packages/create-early-access';
/** The published packages in order of their dependencies. */
export const PUBLISHED = [KIT, SERVER, FIREBASE, CREATE];

/** Packs a folder's built package as it would be published. Returns the tarball's path. */
export async function packPackage(source: string, folder: string): Promise<string> {
  await promisify(execFile)('pnpm', ['pack', '--pack-destination', folder], { cwd: path.join(ROOT, source) });
  const start = `${path.basename(source)}-`;
  const tarball = readdirSync(folder).find((file) => file.startsWith(start) && file.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`pnpm pack left no tarball of ${source} in ${folder}`);
  return path.join(folder, tarball);
}
