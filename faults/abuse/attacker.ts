import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { emptyLedger } from '../support/ledger.ts';
import type { Orders, Tally } from './attack.ts';
import { ATTACKS } from './attacks.ts';

/**
 * The attacker's thread. On Linux the lowest priority is this thread's alone: what he has of the processors is what the server and the visitors
 * leave, because on a machine of his own he would take none of theirs.
 */
setPriority(19);
const { name, port, requests, atATime }: Orders = workerData;
const tally: Tally = { requests: 0, statuses: {}, ledger: emptyLedger() };
let enough = false;

parentPort?.on('message', () => {
  enough = true;
});

const target = {
  port,
  ledger: tally.ledger,
  count(status: number) {
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  },
};

async function attack(): Promise<void> {
  while (tally.requests < requests || !enough) {
    tally.requests += 1;
    await ATTACKS[name](target, tally.requests);
  }
}

await Promise.all(Array.from({ length: atATime }, attack));
parentPort?.postMessage(tally);
parentPort?.close();
