import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Ledger } from '../support/ledger.ts';
import type { AttackName } from './attacks.ts';

export interface Orders {
  readonly name: AttackName;
  readonly port: number;
  /** The minimum number of requests. The attack continues until it is stopped. */
  readonly requests: number;
  readonly atATime: number;
}

export interface Tally {
  requests: number;
  /** The number of responses by status. 0 stands for requests without a response. */
  readonly statuses: Record<number, number>;
  /** The signups among the requests. */
  readonly ledger: Ledger;
}

/** Starts an attack. It ends once it has made its requests and `stop` was called. */
export function startAttack(orders: Orders): { stop(): Promise<Tally>; kill(): Promise<unknown> } {
  const worker = new Worker(new URL('./attacker.ts', import.meta.url), { workerData: orders });
  const tally = once(worker, 'message');
  return {
    async stop() {
      worker.postMessage('stop');
      const [result]: Tally[] = await tally;
      if (result === undefined) throw new Error('the attacker sent no tally');
      return result;
    },
    kill: () => worker.terminate(),
  };
}
