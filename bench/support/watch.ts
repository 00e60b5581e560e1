import { cpus } from 'node:os';
import { fsyncTimes } from './disk.ts';
import { percentile } from './row.ts';

/** What the whole machine did during a measurement. */
export interface Watched<T> {
  readonly result: T;
  readonly seconds: number;
  /** Processor time of all processes together. */
  readonly processorMs: number;
  /** Of a write of 4 kB, tried ten times a second. */
  readonly fsyncP99: number;
}

/** Watches the machine while something is measured from another process. The folder is to lie on the disk in question. */
export async function watched<T>(folder: string, measurement: Promise<T>): Promise<Watched<T>> {
  const began = performance.now();
  const before = processorMs();
  const fsync = fsyncTimes(folder, 1);
  const probe = setInterval(() => fsync.push(...fsyncTimes(folder, 1)), 100);
  try {
    const result = await measurement;
    const seconds = (performance.now() - began) / 1_000;
    return { result, seconds, processorMs: processorMs() - before, fsyncP99: percentile(fsync, 99) };
  } finally {
    clearInterval(probe);
  }
}

function processorMs(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
}
