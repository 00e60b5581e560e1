/**
 * Runs seeded histories of the application: `npm run task -- simulate 17` runs one, `1-200` runs many. If a history
 * breaks a promise, its seed is printed, it is shortened, and the exit code is 1. Options:
 * - `--steps 3,8`: only these steps of the history
 * - `--plant name`: with a bug of `planted-bugs.ts`; ends at the first history that breaks a promise
 * - `--workers 2`: in this number of processes
 * - `--bugs`: only prints the names of the planted bugs
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { sha256 } from '../../packages/early-access-server/src/app/access/secrets.ts';
import type { History } from './history.ts';
import { plant } from './plant.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';

const PROGRESS_EVERY = 250;
/** Up to this many histories are listed one by one, each with a hash of its events. */
const FEW = 10;

// Failing disks cause thousands of errors whose stack traces nobody reads.
Error.stackTraceLimit = 0;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string' },
    plant: { type: 'string' },
    workers: { type: 'string', default: '1' },
    bugs: { type: 'boolean' },
  },
});
const [first = 1, last = first] = (positionals[0] ?? '1-200').split('-').map(Number);
const workers = Number(values.workers);
if (!(Number.isSafeInteger(first) && Number.isSafeInteger(last) && last >= first && workers >= 1)) {
  process.stderr.write('Which seeds? For example: npm run task -- simulate 17, or npm run task -- simulate 1-200\n');
  process.exit(2);
}
if (values.bugs) for (const { name } of PLANTED_BUGS) print(name);
else process.exitCode = workers === 1 ? await runSeeds() : await shareSeeds();

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Each process runs some of the seeds. A signal ends all of them. */
async function shareSeeds(): Promise<number> {
  const size = Math.ceil((last - first + 1) / workers);
  const children = Array.from({ length: workers }, (_, index) => {
    const from = first + index * size;
    const seeds = `${from}-${Math.min(last, from + size - 1)}`;
    const [program = process.execPath, script = ''] = process.argv;
    return spawn(program, [script, seeds], { stdio: 'inherit' });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      for (const child of children) child.kill(signal);
    });
  }
  const codes = await Promise.all(children.map(async (child): Promise<unknown> => (await once(child, 'exit'))[0]));
  return codes.every((code) => code === 0) ? 0 : 1;
}

async function runSeeds(): Promise<number> {
  const checkPlanted = values.plant === undefined ? null : plant(values.plant);
  const { createHistory, simulate } = await import('./history.ts');
  const { shrink } = await import('./shrink.ts');
  checkPlanted?.();
  let done = 0;
  let broken = 0;
  const report = () => print(`seeds ${first}-${last}: ${done} run, ${broken} broke a promise`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      report();
      process.exit(130);
    });
  }

  for (let seed = first; seed <= last; seed += 1) {
    const history = selected(createHistory(seed));
    const outcome = await simulate(history);
    done += 1;
    if (last - first < FEW) print(`seed ${seed}: ${outcome.after} steps, ${sha256(outcome.trace).slice(0, 16)}`);
    if (outcome.broken !== null) {
      broken += 1;
      print(`\nseed ${seed} breaks a promise in step ${outcome.after}: ${outcome.broken}`);
      print(`  run it again: npm run task -- simulate ${seed}`);
      const shorter = await shrink(history, outcome.broken, simulate);
      const steps = shorter.steps.map(({ number }) => number).join(',');
      print(`  the same in fewer steps: npm run task -- simulate ${seed} --steps ${steps}`);
      print(`  ${shorter.steps.map(({ number, action }) => `${number} ${action}`).join(', ')}\n`);
      if (values.plant !== undefined) break;
    }
    if (done % PROGRESS_EVERY === 0) report();
  }
  report();
  const { user, system } = process.cpuUsage();
  print(`${((user + system) / 1e6).toFixed(1)} s of processor time`);
  return broken === 0 ? 0 : 1;
}

function selected(history: History): History {
  if (values.steps === undefined) return history;
  const numbers = new Set(values.steps.split(',').map(Number));
  return { ...history, steps: history.steps.filter(({ number }) => numbers.has(number)) };
}
