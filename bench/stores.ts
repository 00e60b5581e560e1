import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { startPostgres } from '@early-access-kit/testkit/postgres-server';
import type { Question } from './support/question.ts';
import { alternate } from './support/rounds.ts';
import { atLeastTimes } from './support/row.ts';

const SIGNUPS = path.resolve(import.meta.dirname, 'support/signups.ts');
const PROCESSES = 2;

/** Measures durable signups per second of the stores that run on one machine, one after the other, without HTTP. */
export const stores: Question = {
  asks: 'how many signups does each store take?',
  async answer({ quick, folder, tell }) {
    const count = quick ? 5_000 : 50_000;
    const postgres = await startPostgres({ durable: true });
    const sqlite = 'SQLite, one process';
    let files = 0;
    try {
      const rounds = await alternate(
        {
          ours: async () => signUpRate(count, await postgres.createDatabase(), PROCESSES),
          [sqlite]: () => signUpRate(count, path.join(folder, `${files++}.sqlite`), 1),
        },
        { rounds: quick ? 1 : 5, tell },
      );
      const name = `signups stored in Postgres by ${PROCESSES} processes`;
      return {
        rows: [rounds.row({ name, unit: 'per second', of: (rate) => rate, beside: sqlite, goal: atLeastTimes(0.6) })],
      };
    } finally {
      await postgres.close();
    }
  },
};

/** Returns the signups per second of all processes together. */
async function signUpRate(count: number, place: string, processes: number): Promise<number> {
  const running = Array.from({ length: processes }, () => {
    const child = spawn(process.execPath, ['--no-warnings', SIGNUPS, String(count / processes), place], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout);
    return { child, ready: once(lines, 'line'), lines };
  });
  await Promise.all(running.map(({ ready }) => ready));
  const took = await Promise.all(
    running.map(async ({ child, lines }) => {
      const line = once(lines, 'line');
      child.stdin.write('go\n');
      const [text] = await line;
      await once(child, 'close');
      return Number(String(text).split(' ')[1]);
    }),
  );
  return count / (Math.max(...took) / 1_000);
}
