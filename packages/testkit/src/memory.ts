import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns a process's resident memory in megabytes, now and at its peak. Outside Linux, the peak equals `now`. */
export function readMemory(pid: number): { readonly now: number; readonly most: number } {
  if (process.platform !== 'linux') {
    const now = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1_024;
    return { now, most: now };
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
  return { now: kilobytes('VmRSS') / 1_024, most: kilobytes('VmHWM') / 1_024 };
}

/** Returns the megabytes in use after a full garbage collection, including buffers outside the heap. */
export function liveMegabytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // The second collection frees what finalizers of the first one have released.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
}
