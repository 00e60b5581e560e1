import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Linux's file system in memory. */
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 ** 31;

/**
 * Where tests make their temporary folders: in memory if there is room, because databases commit to disk all the time,
 * and a disk would be waited for more than anything else.
 */
export function tempRoot(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize > ENOUGH_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
