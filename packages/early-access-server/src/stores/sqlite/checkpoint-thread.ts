/** The thread of `checkpoints.ts`. Its messages are `Order`s. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Checkpointed, CheckpointThread, Order } from './checkpoints.ts';

const FEW_PAGES = 50;
const MOST_PASSES = 5;

const { file, closed }: CheckpointThread = workerData;

// Whatever it ends by: the other thread may be waiting for that.
process.once('exit', () => {
  Atomics.store(closed, 0, 1);
  Atomics.notify(closed, 0);
});

const db = new DatabaseSync(file);
db.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
// PASSIVE copies what it can without waiting for anybody, and answers instead of throwing where another process is at it.
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

/** Answers with the length of the log. What the writer has added meanwhile is less at each pass; the last rest is left to him. */
function copyLog(): number {
  let pages = 0;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const before = pages;
    pages = Number(checkpoint.get()?.log);
    if (pages - before <= FEW_PAGES) break;
  }
  return pages;
}

const orders: Readonly<Record<Order, () => void>> = {
  checkpoint() {
    try {
      const told: Checkpointed = { pages: copyLog() };
      parentPort?.postMessage(told);
    } catch {
      // A full disk, for one. Nothing is lost: it stays in the log. Who writes hears of it, and the next order tries again.
    }
  },
  close() {
    db.close();
    parentPort?.close();
  },
};

parentPort?.on('message', (order: Order) => orders[order]());
