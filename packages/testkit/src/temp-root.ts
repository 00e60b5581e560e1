import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Linux's in-memory file system. */
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 ** 31;

/**
 * Returns the folder for the tests' temporary folders: in memory if there is space, because databases constantly commit
 * to disk and would otherwise wait for it most of the time.
 */
export function tempRoot(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize > ENOUGH_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
