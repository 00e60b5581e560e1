import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Maximum share of all processors that other programs may use for a time to be judged, from 0 to 1. On two cores it is
 * 30% of one. A row measured on a busier machine is marked as busy and not saved.
 */
export const BUSY_LIMIT = 0.15;

/**
 * Duration of one observation. Earlier programs, such as a server that delivers events, may need up to ten seconds to
 * finish.
 */
const WINDOW_MS = 400;
const ATTEMPTS = 25;

/** In hundredths of a second or milliseconds, depending on the system. */
interface Times {
  readonly busy: number;
  readonly all: number;
}

/**
 * Observes the machine while this process waits. Returns the share of processors in use: the minimum of a few attempts.
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

/** On Linux, includes the time taken by the host of a virtual machine, which Node does not report. */
function times(): Times {
  if (process.platform === 'linux') return timesOfStat(readFileSync('/proc/stat', 'utf8'));
  const each = cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({ busy: user + nice + sys + irq, idle }));
  const busy = each.reduce((sum, processor) => sum + processor.busy, 0);
  return { busy, all: busy + each.reduce((sum, { idle }) => sum + idle, 0) };
}

/** The fields of the first line: user, nice, system, idle, iowait, irq, softirq, steal. Waiting for a disk is idle. */
export function timesOfStat(stat: string): Times {
  const counted = stat.split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? [];
  const all = counted.reduce((sum, ticks) => sum + ticks, 0);
  const [, , , idle = 0, waiting = 0] = counted;
  return { busy: all - idle - waiting, all };
}
