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
db.exec('PRAGMA synchronous = FULL');
// PASSIVE copies what it can without waiting for anybody, and answers instead of throwing where another process is at it.
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

const orders: Readonly<Record<Order, () => void>> = {
  checkpoint() {
    try {
      let pages = 0;
      let passes = 0;
      let added: number;
      // What the writer has added meanwhile is less at each pass, and the last rest is the writer's to copy.
      do {
        const before = pages;
        pages = Number(checkpoint.get()?.log);
        added = pages - before;
        passes += 1;
      } while (added > FEW_PAGES && passes < MOST_PASSES);
      const told: Checkpointed = { pages };
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
