import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Failure, systemCode, systemReason } from './failure.ts';

/** Throws a `Failure` unless the folder is missing or empty (apart from `.git`) and can be written. */
export function checkFolder(folder: string): void {
  let entries: string[];
  try {
    entries = readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR' && existsSync(folder)) {
      throw new Failure(`${folder} is a file; name a folder that is new or empty`);
    }
    if (systemCode(error) !== 'ENOENT') throw folderFailure(folder, error);
    checkAncestor(path.dirname(folder));
    return;
  }
  const file = entries.find((entry) => entry !== '.git');
  if (file !== undefined) {
    throw new Failure(
      `${folder} is not empty (it has ${file}), and existing files are never changed; name another folder`,
    );
  }
  checkWritable(folder);
}

/** Checks that the nearest existing folder is writable, so that the others can be created. */
function checkAncestor(folder: string): void {
  try {
    checkWritable(folder);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    checkAncestor(path.dirname(folder));
  }
}

function checkWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw error;
    throw folderFailure(folder, error);
  }
}

/** Returns a failure that explains a system error; any other error is thrown unchanged. */
export function folderFailure(folder: string, error: unknown): Failure {
  const reason = systemReason(error);
  if (reason === null) throw error;
  return new Failure(`${folder} cannot be written: ${reason}; name another folder`);
}

/** Derives a package name from the folder's: in lower case, without characters that npm rejects. */
export function packageName(folder: string): string {
  const name = path
    .basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '');
  return name || 'early-access';
}
