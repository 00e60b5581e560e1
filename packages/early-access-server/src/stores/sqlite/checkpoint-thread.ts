/** The thread of `checkpoints.ts`. It receives `Order` messages. */
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckpointThread, Order } from './checkpoints.ts';
import { loadSqliteSilently } from './load-sqlite.ts';

// If the process shows the warning at all, the main thread has already shown it.
const { DatabaseSync } = loadSqliteSilently();

const FEW_PAGES = 50;
const MOST_PASSES = 5;

const { file, closed }: CheckpointThread = workerData;

// However the thread ends, the main thread may be waiting for this.
process.once('exit', () => {
  Atomics.store(closed, 0, 1);
  Atomics.notify(closed, 0);
});

const db = new DatabaseSync(file);
db.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
// PASSIVE copies as much as possible without waiting, and does not throw if another process is running a checkpoint.
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)');

/**
 * Returns the length of the WAL. Every pass leaves less that was written in the meantime; the writer copies the last
 * part.
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
    // For example a full disk. Nothing is lost, because the data remains in the WAL. Writers get the error, and the
    // next order tries again.
  }
});
