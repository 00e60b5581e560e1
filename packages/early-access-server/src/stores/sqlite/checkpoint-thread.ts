/** The thread of `checkpoints.ts`. Its messages are `Order`s. */
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointThread, Order } from './checkpoints.ts';
import { loadSqliteSilently } from './load-sqlite.ts';

// The main thread has warned already if the process is to warn at all.
const { DatabaseSync } = loadSqliteSilently();

const FEW_PAGES = 50;
const MOST_PASSES = 5;

const { file, closed }: CheckpointThread = workerData;

// However it ends, the main thread may be waiting for it.
process.once('exit', () => {
  Atomics.store(closed, 0, 1);
  Atomics.notify(closed, 0);
});

const db = new DatabaseSync(file);
db.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
// PASSIVE copies what it can without waiting, and does not throw if another process is doing the same.
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

/**
 * Returns the length of the WAL. What the writer adds meanwhile shrinks with each pass; the last rest is left to the
 * writer.
 */
function copyWal(): number {
  let pages = 0;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const before = pages;
    pages = Number(checkpoint.get()?.log);
    if (pages - before <= FEW_PAGES) break;
  }
  return pages;
}

parentPort?.on('message', (order: Order) => {
  if (order === 'close') {
    db.close();
    parentPort?.close();
    return;
  }
  try {
    parentPort?.postMessage(copyWal());
  } catch {
    // A full disk, for example. Nothing is lost: it remains in the WAL. Writers get the error, and the next order tries
    // again.
  }
});
