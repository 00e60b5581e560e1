import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Outcome } from './outcomes.ts';

/** The number of files and tests that are listed, slowest first. */
const LISTED = 25;
/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Variables for `npm test -- --times`: pnpm runs each task's script in a shell that measures its processor time. */
export const MEASURED = { pnpm_config_script_shell: path.join(import.meta.dirname, 'timed-shell') };

interface Row {
  readonly name: string;
  readonly seconds: number;
  /** Undefined if unknown. */
  readonly cpu: number | undefined;
}

/**
 * Returns one page: processor and wall time of the installation, each task, and the slowest files and tests, in
 * seconds.
 */
export function formatTimes(outcomes: readonly Outcome[]): string {
  const tasks = outcomes.toSorted(bySeconds);
  const files = new Map<string, Row>();
  for (const { name: task, tests, cpuByFile } of outcomes) {
    for (const { file, seconds } of tests) {
      const name = `${task}: ${file}`;
      files.set(name, { name, seconds: (files.get(name)?.seconds ?? 0) + seconds, cpu: cpuByFile.get(file) });
    }
  }
  const tests = outcomes.flatMap(({ name: task, tests }) =>
    tests.map(({ name, seconds }) => ({ name: `${task}: ${name}`, seconds, cpu: undefined })),
  );
  const sections: readonly (readonly [string, readonly Row[]])[] = [
    ['tasks', [...installation(), ...tasks]],
    ['files, without the programs that they start', [...files.values()].sort(bySeconds).slice(0, LISTED)],
    ['tests', tests.toSorted(bySeconds).slice(0, LISTED)],
  ];
  return sections.map(([title, rows]) => [`\n   wall     cpu  ${title}`, ...rows.map(formatRow)].join('\n')).join('\n');
}

/** The time of npm and pnpm, which the parent process (`scripts/bootstrap.mjs`) has run. Only known on Linux. */
function installation(): Row[] {
  try {
    const fields = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number);
    const [parent, own] = [fields(process.ppid), fields(process.pid)];
    const [user = 0, system = 0] = parent?.slice(13, 15) ?? [];
    const [started = 0, ownStart = 0] = [parent?.[19], own?.[19]];
    return [
      { name: 'install', seconds: (ownStart - started) / TICKS_PER_SECOND, cpu: (user + system) / TICKS_PER_SECOND },
    ];
  } catch {
    return [];
  }
}

function bySeconds(a: Row, b: Row): number {
  return b.seconds - a.seconds;
}

function formatRow({ name, seconds, cpu }: Row): string {
  return `${seconds.toFixed(1).padStart(7)} ${(cpu?.toFixed(1) ?? '').padStart(7)}  ${name}`;
}
