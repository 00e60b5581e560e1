import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

/** This number of writes adds a few megabytes to the WAL. */
const WRITES_BETWEEN = 512;

/** At this number of pages the WAL has to be restarted. */
const LONG_WAL_PAGES = 8_000;

/** How long closing waits for a checkpoint in progress. */
const CLOSE_MS = 5_000;

export type Order = 'checkpoint' | 'close';

/** The thread's input. The thread sets `closed` to 1 when it has ended. */
export interface CheckpointThread {
  readonly file: string;
  readonly closed: Int32Array;
}

/**
 * Copies the WAL into the database file in a separate thread. On the main thread every checkpoint would block all
 * requests while megabytes are flushed to disk. `db` is the writer's own connection to the file.
 */
export function checkpoints(file: string, db: DatabaseSync) {
  let thread: { readonly worker: Worker; readonly closed: Int32Array } | null = null;
  let writes = 0;

  /** Started on demand: commands and idle servers need no thread. */
  function start() {
    const closed = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    // Next to this file, both in the source and in the build.
    const script = new URL(`./checkpoint-thread${path.extname(import.meta.url)}`, import.meta.url);
    const workerData: CheckpointThread = { file, closed };
    const worker = new Worker(script, { workerData, execArgv: [] });
    // Without the thread SQLite runs its own checkpoints, less often.
    worker.on('error', () => {
      thread = null;
    });
    worker.on('message', restartWal);
    worker.unref();
    return { worker, closed };
  }

  /**
   * The WAL is only restarted once it has been copied completely, but the writer has added to it while the thread
   * copied. The rest is small. Only the writer can ensure, between two transactions, that it does not grow. `pages` is
   * the length of the WAL, reported by the thread after each checkpoint.
   */
  function restartWal(pages: number): void {
    if (pages < LONG_WAL_PAGES || !db.isOpen) return;
    try {
      db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // Nothing is lost; the next checkpoint tries again.
    }
  }

  function order(what: Order): void {
    thread ??= start();
    thread.worker.postMessage(what);
  }

  return {
    /** Call it after every commit. */
    note(count: number): void {
      writes += count;
      if (writes < WRITES_BETWEEN) return;
      writes = 0;
      order('checkpoint');
    },
    /** Returns once the thread has closed the file, so that the last connection to close it leaves no WAL behind. */
    close(): void {
      if (thread === null) return;
      order('close');
      Atomics.wait(thread.closed, 0, 0, CLOSE_MS);
    },
  };
}
