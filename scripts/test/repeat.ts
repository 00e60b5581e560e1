import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Outcome } from './outcomes.ts';

/**
 * Runs suites many times with a busy loop on each core, and returns how often each test failed. A suite that fails
 * without a failing test counts under its own name.
 */
export async function repeatUnderLoad(
  times: number,
  runOnce: () => Promise<readonly Outcome[]>,
): Promise<ReadonlyMap<string, number>> {
  const failures = new Map<string, number>();
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
  );
  const stop = () => loops.map((loop) => loop.kill());
  process.once('exit', stop);
  try {
    for (let time = 1; time <= times; time += 1) {
      const failed = (await runOnce()).flatMap(failedNames);
      for (const name of failed) failures.set(name, (failures.get(name) ?? 0) + 1);
      console.log(`run ${time} of ${times}: ${failed.length === 0 ? 'all passed' : failed.join(', ')}`);
    }
  } finally {
    stop();
    process.off('exit', stop);
  }
  return failures;
}

/** Returns the names of failed tests, or of the task itself. */
export function failedNames({ name: task, failed, tests }: Outcome): string[] {
  const names = tests.filter((test) => test.failed).map(({ name }) => `${task}: ${name}`);
  return failed > 0 && names.length === 0 ? [task] : names;
}
