import type { RunResult } from '../run.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface Check {
  readonly name: string;
  /** Names of checks that have to pass before. */
  readonly needs?: readonly string[];
  /** Uses every core by itself, so that it runs alone. */
  readonly exclusive?: boolean;
  run(): Promise<RunResult>;
  /** The tests inside, where the check is a suite; without it, it counts as one. */
  count?(): Counts | undefined;
}

export interface Outcome extends Counts {
  readonly name: string;
  readonly output: string;
  readonly seconds: number;
}

/** Runs checks in the order given, `limit` at a time, each after what it needs. What needs a failed one fails with it. */
export async function runChecks(
  checks: readonly Check[],
  limit: number,
  onOutcome: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const waiting = [...checks];
  const running = new Map<string, { exclusive: boolean; done: Promise<void> }>();
  const outcomes = new Map<string, Outcome>();
  const finish = (outcome: Outcome) => {
    outcomes.set(outcome.name, outcome);
    running.delete(outcome.name);
    onOutcome(outcome);
  };
  const hasRoom = ({ exclusive = false }: Check) =>
    running.size < limit && ![...running.values()].some((other) => other.exclusive) && !(exclusive && running.size > 0);
  const isReady = ({ needs = [] }: Check) => needs.every((need) => outcomes.has(need));

  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex((check) => isReady(check) && hasRoom(check));
    const check = next === -1 ? undefined : waiting.splice(next, 1)[0];
    if (check) {
      const broken = (check.needs ?? []).find((need) => (outcomes.get(need)?.failed ?? 0) > 0);
      const done = broken
        ? Promise.resolve({ ...failedBefore(check.name, broken) }).then(finish)
        : runCheck(check).then(finish);
      running.set(check.name, { exclusive: check.exclusive ?? false, done });
    } else if (running.size > 0) {
      await Promise.race([...running.values()].map(({ done }) => done));
    } else {
      throw new Error(`Checks that wait for each other: ${waiting.map(({ name }) => name).join(', ')}`);
    }
  }
  return [...outcomes.values()];
}

async function runCheck(check: Check): Promise<Outcome> {
  const started = performance.now();
  const { code, output } = await check.run();
  const counts = check.count?.() ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  // A suite may break down without a failing test: an unhandled rejection, or no test at all.
  const failed = code !== 0 && counts.failed === 0 ? 1 : counts.failed;
  return { ...counts, failed, name: check.name, output, seconds: (performance.now() - started) / 1_000 };
}

function failedBefore(name: string, need: string): Outcome {
  return { name, passed: 0, failed: 1, skipped: 0, output: `Not run, because "${need}" failed.`, seconds: 0 };
}
