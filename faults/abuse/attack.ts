import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Ledger } from '../support/ledger.ts';
import type { AttackName } from './attacks.ts';

export interface Orders {
  readonly name: AttackName;
  readonly port: number;
  /** At least so many. */
  readonly requests: number;
  readonly atATime: number;
}

export interface Tally {
  requests: number;
  /** How many requests were answered with each status; 0: with none. */
  readonly statuses: Record<number, number>;
  /** The signups among the requests. */
  readonly ledger: Ledger;
}

/** An attack that goes on until it has made its requests and is called off. */
export function startAttack(orders: Orders): { stop(): Promise<Tally>; kill(): Promise<unknown> } {
  const worker = new Worker(new URL('./attacker.ts', import.meta.url), { workerData: orders });
  const tally = once(worker, 'message');
  return {
    async stop() {
      worker.postMessage('enough');
      const [told]: Tally[] = await tally;
      if (told === undefined) throw new Error('the attacker told nothing');
      return told;
    },
    kill: () => worker.terminate(),
  };
}
