import { computeRest, load } from './support/load.ts';
import type { Question } from './support/question.ts';
import { atMost, atMostTimes, row } from './support/row.ts';
import { startServer } from './support/running-server.ts';

const CONNECTIONS = 64;
const SAMPLE_MS = 500;

/** Ten minutes of signups at a sustainable rate, and the server's memory over the last two thirds of them. */
export const soak: Question = {
  asks: 'does the server grow under lasting load?',
  async answer({ folder, quick, tell }) {
    const { seconds, perSecond } = quick ? { seconds: 10, perSecond: 500 } : { seconds: 600, perSecond: 3_000 };
    tell(`${seconds} s at ${perSecond} signups a second`);
    const running = await startServer({ DATA_DIR: folder, TRUST_PROXY: '1' });
    const samples: number[] = [];
    const watch = setInterval(() => samples.push(running.memoryMb()), SAMPLE_MS);
    try {
      const plan = { url: running.url, kind: 'signup', run: 1, connections: CONNECTIONS, seconds } as const;
      await load({ ...plan, pauseMs: computeRest(CONNECTIONS, perSecond) });
    } finally {
      clearInterval(watch);
      await running.stop();
    }
    const third = Math.floor(samples.length / 3);
    return {
      rows: [
        row({
          name: `memory in the last third of ${seconds} s of signups`,
          unit: 'MB',
          ours: samples.slice(2 * third),
          theirs: samples.slice(third, 2 * third),
          against: 'in the second third',
          goal: atMostTimes(1.1),
        }),
        row({ name: 'memory at its peak', unit: 'MB', ours: Math.max(...samples), goal: atMost(256) }),
      ],
    };
  },
};
