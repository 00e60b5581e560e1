import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { startPostgres } from '@early-access-kit/testkit/postgres-server';
import type { Question } from './support/question.ts';
import { atLeast, row } from './support/row.ts';

const SIGN_UPS = path.resolve(import.meta.dirname, 'support/sign-ups.ts');
const PROCESSES = 2;

/** Measures durable signups per second of the stores that run on one machine, in turn, without HTTP. */
export const stores: Question = {
  asks: 'how many signups does each store take?',
  async answer({ quick, folder, tell }) {
    const rounds = quick ? 1 : 5;
    const count = quick ? 5_000 : 50_000;
    const postgres = await startPostgres({ durable: true });
    const rates = { sqlite: [] as number[], postgres: [] as number[] };
    try {
      for (let round = 0; round < rounds; round += 1) {
        rates.sqlite.push(await signUpRate(count, path.join(folder, `round-${round}.sqlite`), 1));
        rates.postgres.push(await signUpRate(count, await postgres.createDatabase(), PROCESSES));
        tell(`SQLite ${rates.sqlite.at(-1)?.toFixed(0)}/s, Postgres ${rates.postgres.at(-1)?.toFixed(0)}/s`);
      }
    } finally {
      await postgres.close();
    }
    return {
      rows: [
        row({
          name: `signups stored in Postgres by ${PROCESSES} processes`,
          unit: 'per second',
          ours: rates.postgres,
          theirs: rates.sqlite,
          against: 'SQLite, one process',
          goal: atLeast(5_000),
        }),
      ],
    };
  },
};

/** Signups per second of all processes together. */
async function signUpRate(count: number, place: string, processes: number): Promise<number> {
  const running = Array.from({ length: processes }, () => {
    const child = spawn(process.execPath, ['--no-warnings', SIGN_UPS, String(count / processes), place], {
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
