import { StatusError } from '../status.ts';

interface Waiter {
  readonly owner: symbol;
  readonly granted: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: StatusError) => void;
  readonly timer: NodeJS.Timeout;
}

interface Lock {
  holder: symbol;
  readonly queue: Waiter[];
}

/**
 * Exclusive locks on documents, granted in order of request. A request that would cause a deadlock is aborted at once; one that waits
 * too long, for example for an abandoned transaction, is aborted after a timeout.
 */
export class Locks {
  readonly #locks = new Map<string, Lock>();
  readonly #timeoutMs: number;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves once the owner holds the path. Rejects with ABORTED. */
  async acquire(owner: symbol, path: string): Promise<void> {
    const lock = this.#locks.get(path);
    if (lock === undefined) {
      this.#locks.set(path, { holder: owner, queue: [] });
      return;
    }
    if (lock.holder === owner) return;
    const waiting = lock.queue.find((waiter) => waiter.owner === owner);
    if (waiting !== undefined) return waiting.granted;
    if (this.#waitsFor(lock.holder, owner) || lock.queue.some((waiter) => this.#waitsFor(waiter.owner, owner))) {
      throw aborted('the transactions wait for each other');
    }
    let resolve: Waiter['resolve'] = () => {};
    let reject: Waiter['reject'] = () => {};
    const granted = new Promise<void>((yes, no) => {
      [resolve, reject] = [yes, no];
    });
    const timer = setTimeout(() => this.#giveUp(lock, waiter), this.#timeoutMs).unref();
    const waiter: Waiter = { owner, granted, resolve, reject, timer };
    lock.queue.push(waiter);
    return granted;
  }

  /** Releases all locks of the owner and removes it from every queue. */
  release(owner: symbol): void {
    for (const [path, lock] of this.#locks) {
      for (const waiter of lock.queue.filter((candidate) => candidate.owner === owner)) this.#giveUp(lock, waiter);
      if (lock.holder === owner) this.#handOn(path, lock);
    }
  }

  #handOn(path: string, lock: Lock): void {
    const next = lock.queue.shift();
    if (next === undefined) {
      this.#locks.delete(path);
      return;
    }
    lock.holder = next.owner;
    clearTimeout(next.timer);
    next.resolve();
  }

  #giveUp(lock: Lock, waiter: Waiter): void {
    clearTimeout(waiter.timer);
    lock.queue.splice(lock.queue.indexOf(waiter), 1);
    waiter.reject(aborted('the documents stayed locked for too long'));
  }

  /** Whether `one` waits, directly or indirectly, for a lock of `other`. */
  #waitsFor(one: symbol, other: symbol, seen = new Set<symbol>()): boolean {
    if (one === other) return true;
    if (seen.has(one)) return false;
    seen.add(one);
    for (const lock of this.#locks.values()) {
      const place = lock.queue.findIndex((waiter) => waiter.owner === one);
      if (place < 0) continue;
      const ahead = [lock.holder, ...lock.queue.slice(0, place).map((waiter) => waiter.owner)];
      if (ahead.some((owner) => this.#waitsFor(owner, other, seen))) return true;
    }
    return false;
  }
}

function aborted(why: string): StatusError {
  return new StatusError('ABORTED', `Too much contention on these documents: ${why}. Please try again.`);
}
