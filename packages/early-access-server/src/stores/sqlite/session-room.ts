import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { SECOND_MS, StorageError } from 'early-access-kit/internal';
import { isReserved } from '../../app/analytics/session-room.ts';
import type { Log } from '../../app/ports/log.ts';

/**
 * Returns a function that throws if the disk is so full that no more sessions may be stored. Checks the disk at most
 * once a second.
 */
export function sessionRoom(file: string, log: Log, read: (folder: string) => DiskSpace = readDisk): () => void {
  let isFull = false;
  let readAt = Number.NEGATIVE_INFINITY;
  function look(): void {
    const { free, size } = read(dirname(file));
    const wasFull = isFull;
    isFull = isReserved(free, size);
    if (isFull && !wasFull) {
      log('warn', 'disk-nearly-full', {
        free,
        fix: 'No sessions are stored until the disk has space: make it larger.',
      });
    }
  }
  return () => {
    if (performance.now() - readAt >= SECOND_MS) {
      readAt = performance.now();
      look();
    }
    if (isFull)
      throw new StorageError('rate-limited', 'the disk is nearly full, so no sessions are stored', { retryAfter: 600 });
  };
}

interface DiskSpace {
  /** In bytes. */
  readonly free: number;
  readonly size: number;
}

/** If the disk space is unknown, the disk counts as empty. */
function readDisk(folder: string): DiskSpace {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return { free: Number.POSITIVE_INFINITY, size: Number.POSITIVE_INFINITY };
  }
}
