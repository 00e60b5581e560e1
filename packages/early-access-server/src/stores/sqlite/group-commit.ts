import type { DatabaseSync } from 'node:sqlite';
import { StorageError } from 'early-access-kit/core';
import { inTransaction } from './transaction.ts';

/** Writes that wait at the same moment share one transaction and one fsync. */
export interface GroupCommit {
  /**
   * Runs `work` inside a write transaction, after all that was asked for before it. The answer comes ONLY AFTER the commit is on
   * the disk. A member that throws fails alone. Rejects with a `StorageError` of code `unavailable` where the database
   * fails or too much is waiting; `work` may run twice, but is kept once.
   */
  run<T>(work: () => T): Promise<T>;
  /** Commits what is waiting, now. */
  flush(): void;
}

export interface GroupCommitOptions {
  /** Beyond so many waiting writes, further ones are refused instead of queued. */
  readonly maxWaiting?: number;
  /**
   * Largest number of writes in one transaction. Small enough for the event loop to turn in between: the loop takes one new connection
   * at a turn, so that long turns would keep newcomers out; large enough to share the fsync among many.
   */
  readonly maxBatch?: number;
  /** Told how each commit ended, null or what failed, and of how many writes it was. */
  readonly onCommit?: (failure: unknown, writes: number) => void;
}

interface Member {
  /** Does the work and answers with what tells its caller. */
  attempt(): () => void;
  fail(error: unknown): void;
}

/** The failure of a member's own work, told apart from a failure of the transaction around it. */
class MemberFailure extends Error {}

export function groupCommit(
  db: DatabaseSync,
  { maxWaiting = 8_192, maxBatch = 128, onCommit = () => {} }: GroupCommitOptions = {},
): GroupCommit {
  let waiting: Member[] = [];
  let scheduled = false;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    // After the poll phase, so that every request that has arrived by now is in.
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
    onCommit(causeOf(failure), batch.length);
    if (failure === null) return;
    // One member's failure rolled back all: each gets a transaction of its own, so that only the culprit fails.
    const alone = failure instanceof MemberFailure && batch.length > 1;
    for (const member of batch) {
      const error = alone ? commit(db, [member]) : failure;
      if (error !== null) member.fail(toStorageError(error));
    }
  }

  return {
    run: (work) =>
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
    flush() {
      while (waiting.length > 0) commitSome();
    },
  };
}

/** Commits the members together and tells each of them. Answers with the failure where nothing was kept. */
function commit(db: DatabaseSync, members: readonly Member[]): unknown {
  try {
    const answers = inTransaction(db, () => members.map(attempt));
    for (const answer of answers) answer();
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

function causeOf(error: unknown): unknown {
  return error instanceof MemberFailure ? error.cause : error;
}

function toStorageError(error: unknown): StorageError {
  const cause = causeOf(error);
  if (cause instanceof StorageError) return cause;
  return new StorageError('unavailable', 'the database could not keep it', { cause, retryAfter: 1 });
}
