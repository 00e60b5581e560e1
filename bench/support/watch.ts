import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { percentile } from './row.ts';

/** The load of the whole machine during a measurement. */
export interface Watched<T> {
  readonly result: T;
  readonly seconds: number;
  /** Processor time of all processes together. */
  readonly processorMs: number;
  /** The p99 of 4 kB writes to disk, measured ten times a second. */
  readonly fsyncP99: number;
}

/** Observes the machine while another process is measured. The folder must be on the measured disk. */
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

/** Returns how long 4 kB writes take to reach the disk, in milliseconds. No durable commit can be faster. */
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
