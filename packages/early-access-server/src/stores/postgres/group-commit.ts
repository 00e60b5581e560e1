import { StorageError } from 'early-access-kit/core';
import type { Steps, Transaction } from '../sql/statement.ts';
import { isOutage, toStorageError } from './failures.ts';

/** Performs one kind of write for several callers at once. Returns their results in the same order. */
export type BatchWrite<Item, Result> = (items: readonly Item[]) => Transaction<readonly Result[]>;

interface Writes {
  /** Performs the writes, and returns a function that notifies the callers. */
  attempt(): Transaction<() => void>;
  reject(error: StorageError): void;
  /** The same writes, one by one. */
  single(): readonly Writes[];
}

interface Caller<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: StorageError) => void;
}

/** If this many writes are waiting, further ones are rejected. */
const MAX_WAITING = 8_192;
/**
 * Limits for the items of a batch, and for the batches and other writes of a transaction, so that other processes can
 * write in between.
 */
const MAX_ITEMS = 256;
const MAX_GROUP = 64;

/**
 * Writes that wait at the same time share one transaction, with its lock, round trips and fsync. `transaction` runs its
 * work in one transaction and stores nothing if it throws.
 */
export function groupCommit(transaction: <T>(work: () => Transaction<T>) => Promise<T>, maxGroup = MAX_GROUP) {
  /** Each function returns the writes that were added to it until its transaction starts. */
  let queue: (() => Writes)[] = [];
  let waiting = 0;
  let working: Promise<void> | null = null;

  function enqueue(next: () => Writes): void {
    queue.push(next);
    working ??= commitAll();
  }

  async function commitAll(): Promise<void> {
    // Everything that arrives in this turn of the event loop belongs to the first group.
    await new Promise(setImmediate);
    while (queue.length > 0) {
      const group = queue.slice(0, maxGroup);
      queue = queue.slice(maxGroup);
      await commit(group.map((next) => next()));
    }
    working = null;
  }

  async function commit(group: readonly Writes[]): Promise<void> {
    try {
      const callbacks = await transaction(function* () {
        const attempted: (() => void)[] = [];
        for (const writes of group) attempted.push(yield* writes.attempt());
        return attempted;
      });
      for (const notify of callbacks) notify();
    } catch (error) {
      const single = group.flatMap((writes) => writes.single());
      // One failed write rolled back the whole group. Each gets its own transaction, so that only the failed one is
      // rejected.
      if (single.length > 1 && !isOutage(error)) for (const writes of single) await commit([writes]);
      else for (const writes of single) writes.reject(toStorageError(error));
      if (isOutage(error)) rejectWaiting(toStorageError(error));
    }
  }

  /** These writes have already waited, and would only time out one after the other. */
  function rejectWaiting(error: StorageError): void {
    while (queue.length > 0) {
      const rejected = queue;
      queue = [];
      for (const next of rejected) next().reject(error);
    }
  }

  /** Counts a caller as waiting until they are notified. */
  function request<T>(start: (caller: Omit<Caller<never, T>, 'item'>) => void): Promise<T> {
    if (waiting >= MAX_WAITING) {
      return Promise.reject(new StorageError('unavailable', 'too many writes are waiting', { retryAfter: 1 }));
    }
    waiting += 1;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    start({ resolve, reject });
    return promise.finally(() => {
      waiting -= 1;
    });
  }

  return {
    /**
     * Resolves only after the commit. If a write fails, the others are not affected. Rejects with a `StorageError` with
     * code `unavailable` if the database fails or too many writes are waiting. `work` may run twice, but is stored
     * once.
     */
    run: <T>(work: () => Steps<T>): Promise<T> =>
      request((caller) => {
        const write = function* () {
          return [yield* work()];
        };
        enqueue(() => toWrites(write, [{ item: null, ...caller }]));
      }),
    /** Like `run`, but calls `write` once for all items that share a transaction. */
    batch<Item, Result>(write: BatchWrite<Item, Result>) {
      let callers: Caller<Item, Result>[] = [];
      const next = () => {
        const taken = callers.slice(0, MAX_ITEMS);
        callers = callers.slice(MAX_ITEMS);
        if (callers.length > 0) queue.push(next);
        return toWrites(write, taken);
      };
      return (item: Item): Promise<Result> =>
        request<Result>((caller) => {
          callers.push({ item, ...caller });
          if (callers.length === 1) enqueue(next);
        });
    },
    /** Resolves once nothing is waiting. */
    idle: async (): Promise<void> => {
      await working;
    },
  };
}

function toWrites<Item, Result>(write: BatchWrite<Item, Result>, callers: readonly Caller<Item, Result>[]): Writes {
  return {
    *attempt() {
      const results = yield* write(callers.map(({ item }) => item));
      return () => {
        for (const [index, result] of results.entries()) callers[index]?.resolve(result);
      };
    },
    reject(error) {
      for (const caller of callers) caller.reject(error);
    },
    single: () => callers.map((caller) => toWrites(write, [caller])),
  };
}
