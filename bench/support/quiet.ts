import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The share of all processors that other programs may have, 0 to 1, for a time to be judged. On two cores it is a third
 * of one of them. A row measured on a busier machine says so instead of whether its goal is met, and is not saved.
 */
export const BUSY_LIMIT = 0.15;

/**
 * How long the machine is watched, and how often: what ran before needs up to ten seconds to end, such as a server that
 * delivers events.
 */
const WINDOW_MS = 400;
const ATTEMPTS = 25;

/** Hundredths of a second or milliseconds, whichever the system counts. */
interface Times {
  readonly busy: number;
  readonly all: number;
}

/**
 * Watches the machine while this process waits. Returns the share of the processors that others use: the least of a few
 * attempts.
 */
export async function busyShare(): Promise<number> {
  let least = 1;
  for (let attempt = 0; attempt < ATTEMPTS && least > BUSY_LIMIT; attempt += 1) {
    const before = times();
    await sleep(WINDOW_MS);
    least = Math.min(least, shareBetween(before, times()));
  }
  return least;
}

function shareBetween(before: Times, after: Times): number {
  const all = after.all - before.all;
  return all <= 0 ? 0 : Math.max(0, (after.busy - before.busy) / all);
}

/** On Linux including what the host of a virtual machine takes away, which Node does not report. */
function times(): Times {
  if (process.platform === 'linux') return timesOfStat(readFileSync('/proc/stat', 'utf8'));
  const each = cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({ busy: user + nice + sys + irq, idle }));
  const busy = each.reduce((sum, processor) => sum + processor.busy, 0);
  return { busy, all: busy + each.reduce((sum, { idle }) => sum + idle, 0) };
}

/** The first line: user, nice, system, idle, iowait, irq, softirq, steal. Waiting for a disk is idle. */
export function timesOfStat(stat: string): Times {
  const counted = stat.split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? [];
  const all = counted.reduce((sum, ticks) => sum + ticks, 0);
  const [, , , idle = 0, waiting = 0] = counted;
  return { busy: all - idle - waiting, all };
}
