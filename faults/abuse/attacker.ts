import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { LONG } from '@early-access-kit/testkit/fault-runs';
import { emptyLedger } from '../support/ledger.ts';
import type { Orders, Tally } from './attack.ts';
import { ATTACKS } from './attacks.ts';

/**
 * The attacker's thread. A real attacker runs on another machine, so if response times are measured, this thread gets
 * the lowest priority and only uses CPU time that the server and the visitors leave. Beside other tests it would hardly
 * run, and its requests would time out. On Linux, the priority only applies to this thread.
 */
if (LONG) setPriority(19);
const { name, port, requests, atATime }: Orders = workerData;
const tally: Tally = { requests: 0, statuses: {}, ledger: emptyLedger() };
let stopped = false;

parentPort?.on('message', () => {
  stopped = true;
});

const target = {
  port,
  ledger: tally.ledger,
  count(status: number) {
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  },
};

async function attack(): Promise<void> {
  while (tally.requests < requests || !stopped) {
    tally.requests += 1;
    await ATTACKS[name](target, tally.requests);
  }
}

await Promise.all(Array.from({ length: atATime }, attack));
parentPort?.postMessage(tally);
parentPort?.close();
