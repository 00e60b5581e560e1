import path from 'node:path';
import { Worker } from 'node:worker_threads';

/** So many writes make some megabytes of log. */
const WRITES_BETWEEN = 512;

/** How long closing waits for a checkpoint that is under way. */
const CLOSE_MS = 5_000;

export type Order = 'checkpoint' | 'close';

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

export function checkpoints(file: string): Checkpoints {
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
    started.unref();
    return started;
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
