import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

/** So many writes make some megabytes of log. */
const WRITES_BETWEEN = 512;

/** From so many pages on the log is to start again from its beginning. */
const LONG_LOG_PAGES = 8_000;

/** How long closing waits for a checkpoint that is under way. */
const CLOSE_MS = 5_000;

export type Order = 'checkpoint' | 'close';

/** What the thread tells after each checkpoint. */
export interface Checkpointed {
  /** Length of the log. */
  readonly pages: number;
}

/** What the thread is given; it sets `closed` to 1 once it has ended. */
export interface CheckpointThread {
  readonly file: string;
  readonly closed: Int32Array;
}

/**
 * Copies SQLite's write-ahead log into the database file, in a thread of its own: done by the thread that answers, each checkpoint
 * would keep every visitor waiting while megabytes are flushed to the disk.
 */
export interface Checkpoints {
  /** To be told of every commit. */
  note(writes: number): void;
  /** Returns once the thread has closed the file, so that whoever closes it last leaves no log behind. */
  close(): void;
}

/** `db` is the writer's own connection to the file. */
export function checkpoints(file: string, db: DatabaseSync): Checkpoints {
  const closed = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let thread: Worker | null = null;
  let writes = 0;

  /** Only where there is work for it: commands and quiet servers need none. */
  function start(): Worker {
    Atomics.store(closed, 0, 0);
    // Beside this file, both as it is written and as it is built.
    const script = new URL(`./checkpoint-thread${path.extname(import.meta.url)}`, import.meta.url);
    const given: CheckpointThread = { file, closed };
    const started = new Worker(script, { workerData: given, execArgv: [] });
    // SQLite itself checkpoints, later, where nobody else does.
    started.on('error', () => {
      thread = null;
    });
    started.on('message', restartLog);
    started.unref();
    return started;
  }

  /**
   * While the thread copied, the writer has added to the log, which starts again only when nothing is left to copy. That rest is little, and
   * between two of its own transactions the writer alone can be sure that it becomes no more.
   */
  function restartLog({ pages }: Checkpointed): void {
    if (pages < LONG_LOG_PAGES || !db.isOpen) return;
    try {
      db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // As in the thread: nothing is lost, and there is a next time.
    }
  }

  function order(what: Order): void {
    thread ??= start();
    thread.postMessage(what);
  }

  return {
    note(count) {
      writes += count;
      if (writes < WRITES_BETWEEN) return;
      writes = 0;
      order('checkpoint');
    },
    close() {
      if (thread === null) return;
      order('close');
      Atomics.wait(closed, 0, 0, CLOSE_MS);
    },
  };
}
