import { createReadStream } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { emptyWal, isBusy } from './database.ts';

/** How long to wait for readers that prevent the WAL from being emptied, and how long one attempt may block writers. */
const EMPTY_WAL_WITHIN_MS = 5_000;
const EMPTY_WAL_ATTEMPT_MS = 250;
const EMPTY_WAL_PAUSE_MS = 100;

/**
 * Removes what deleted rows have left behind in the WAL and in the database file. Returns false if other processes, readers for
 * example, did not let it within five seconds.
 *
 * Even with secure_delete SQLite leaves a copy behind now and then, when it distributes rows over pages anew. So the file is searched
 * for the `traces`, and rewritten if one is found.
 */
export async function removeTraces(db: DatabaseSync, file: string, traces: readonly string[]): Promise<boolean> {
  if (!(await emptyWalInTime(file))) return false;
  if (!(await contains(file, traces))) return true;
  try {
    db.exec('VACUUM');
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
  return emptyWalInTime(file);
}

async function emptyWalInTime(file: string): Promise<boolean> {
  const db = new DatabaseSync(file, { timeout: EMPTY_WAL_ATTEMPT_MS });
  try {
    const giveUpAt = performance.now() + EMPTY_WAL_WITHIN_MS;
    while (!emptyWal(db)) {
      if (performance.now() > giveUpAt) return false;
      await sleep(EMPTY_WAL_PAUSE_MS);
    }
    return true;
  } finally {
    db.close();
  }
}

/** Whether the file contains one of the texts in UTF-8. */
async function contains(file: string, texts: readonly string[]): Promise<boolean> {
  const sought = texts.map((value) => Buffer.from(value));
  const overlap = Math.max(...sought.map(({ length }) => length)) - 1;
  let tail = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([tail, chunk]);
    if (sought.some((value) => bytes.includes(value))) return true;
    tail = bytes.subarray(Math.max(0, bytes.length - overlap));
  }
  return false;
}
