import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Milliseconds that each of so many writes of 4 kB takes until it is on the disk: what no durable commit can be faster than. */
export function fsyncTimes(folder: string, count: number): number[] {
  const file = openSync(path.join(folder, 'fsync'), 'w');
  const page = Buffer.alloc(4_096, 'x');
  const times = Array.from({ length: count }, () => {
    const started = performance.now();
    writeSync(file, page);
    fdatasyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  return times;
}
