import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createChance, report } from '@early-access-kit/testkit/fault-runs';
import { describe, expect, it, onTestFinished } from 'vitest';

const SIMULATOR = fileURLToPath(new URL('main.ts', import.meta.url));
const SEEDS = 10_000;
/** A planted bug must be found within this number of histories. */
const SEEDS_TO_FIND = 1_000;

/** Runs the simulator, prints its output, and stops it when the test ends. */
async function simulate(...args: readonly string[]): Promise<{ readonly code: unknown; readonly lines: string[] }> {
  const child = spawn(process.execPath, [SIMULATOR, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGTERM'));
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    process.stdout.write(`${line}\n`);
  });
  const [code]: unknown[] = await once(child, 'close');
  return { code, lines };
}

describe('simulated histories', () => {
  it(`break no promise, ${SEEDS} times`, async () => {
    const first = createChance('simulation').below(2 ** 30) + 1;
    const { code } = await simulate(`${first}-${first + SEEDS - 1}`, '--workers', '2');
    report('simulation: histories without a broken promise', code === 0 ? SEEDS : 'not all');
    expect(code).toBe(0);
  });

  it(`find each planted bug within ${SEEDS_TO_FIND} seeds`, async () => {
    const bugs = (await simulate('--bugs')).lines;
    const missed: string[] = [];
    for (const bug of bugs) {
      const { lines } = await simulate(`1-${SEEDS_TO_FIND}`, '--plant', bug);
      const found = lines.map((line) => /^seed (\d+) breaks a promise/.exec(line)?.[1]).find(Boolean);
      report(`simulation: the first seed that finds: ${bug}`, found ?? 'none');
      if (found === undefined) missed.push(bug);
    }
    expect(bugs.length).toBeGreaterThanOrEqual(10);
    expect(missed).toEqual([]);
  });
});
