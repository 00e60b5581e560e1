import type { DatabaseSync } from 'node:sqlite';
import { isStorageError, StorageError } from 'early-access-kit/core';
import { inTransaction } from './transaction.ts';

/** How many writes share a commit, and how many may wait. */
export interface GroupCommitOptions {
  /** If this many writes are waiting, further ones are rejected. */
  readonly maxWaiting?: number;
  /**
   * The most writes per transaction. Small enough for the event loop to run in between, because it accepts one new
   * connection per turn; large enough for many writes to share the fsync.
   */
  readonly maxBatch?: number;
  /** Called after each commit with its error (or null) and the number of writes. */
  readonly onCommit?: (failure: unknown, writes: number) => void;
}

interface Member {
  /** Does the work and returns a function that notifies its caller. */
  attempt(): () => void;
  fail(error: unknown): void;
}

/** A failure of a member's own work, as opposed to one of the transaction. */
class MemberFailure extends Error {}

/** Writes that wait at the same moment share one transaction and one fsync. */
export function groupCommit(
  db: DatabaseSync,
  { maxWaiting = 8_192, maxBatch = 256, onCommit = () => {} }: GroupCommitOptions = {},
) {
  let waiting: Member[] = [];
  let scheduled = false;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    // After the poll phase, so that every request that has arrived by now is included.
    setImmediate(() => {
      scheduled = false;
      commitSome();
      if (waiting.length > 0) schedule();
    });
  }

  function commitSome(): void {
    const batch = waiting.slice(0, maxBatch);
    waiting = waiting.slice(maxBatch);
    const failure = commit(db, batch);
    onCommit(unwrapCause(failure), batch.length);
    if (failure === null) return;
    // One member's failure rolled back the whole batch. Each gets its own transaction, so that only the failed one is
    // rejected.
    const alone = failure instanceof MemberFailure && batch.length > 1;
    for (const member of batch) {
      const error = alone ? commit(db, [member]) : failure;
      if (error !== null) member.fail(toStorageError(error));
    }
  }

  return {
    /**
     * Runs `work` inside a write transaction, after everything requested before it. Resolves ONLY AFTER the commit is
     * on disk. If a member throws, the others are not affected. Rejects with a `StorageError` with code `unavailable`
     * if the database fails or too many writes are waiting. `work` may run twice, but is stored once.
     */
    run: <T>(work: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) {
          reject(new StorageError('unavailable', 'too many writes are waiting', { retryAfter: 1 }));
          return;
        }
        waiting.push({
          attempt: () => {
            const result = work();
            return () => resolve(result);
          },
          fail: reject,
        });
        schedule();
      }),
    flush(): void {
      while (waiting.length > 0) commitSome();
    },
  };
}

/** Commits the members together and notifies each of them. Returns the error if nothing was stored, otherwise null. */
function commit(db: DatabaseSync, members: readonly Member[]): unknown {
  try {
    const callbacks = inTransaction(db, () => members.map(attempt));
    for (const notify of callbacks) notify();
    return null;
  } catch (error) {
    return error;
  }
}

function attempt(member: Member): () => void {
  try {
    return member.attempt();
  } catch (cause) {
    throw new MemberFailure('a write of the group failed', { cause });
  }
}

function unwrapCause(error: unknown): unknown {
  return error instanceof MemberFailure ? error.cause : error;
}

function toStorageError(error: unknown): StorageError {
  const cause = unwrapCause(error);
  if (isStorageError(cause)) return cause;
  return new StorageError('unavailable', 'the database could not store it', { cause, retryAfter: 1 });
}
