import { StorageError } from '../../core/errors.ts';
import { toFailure } from './failure.ts';
import type { Target } from './options.ts';
import type { Tokens } from './tokens.ts';
import type { Write } from './values.ts';

/**
 * Statuses that a caller can make something of: refused by the rules, by App Check or by the restrictions of the key;
 * nothing there to update; there already. Contention has the last one's status too, and another name.
 */
const REFUSALS = [403, 404, 409];
const CONTENTION = '"ABORTED"';

/** Calls under one deadline. They reject with whatever came of it; `attempt` makes a `StorageError` of that. */
export interface Calls {
  /** Whether the write was committed: false where it is refused, rejects where nobody knows. */
  commit(write: Write): Promise<boolean>;
  /**
   * Whether the rules let this document be read, which is never there if they do. Unless given, it is a signup that cannot exist,
   * because the ids of signups are hashes.
   */
  readMissing(document?: string): Promise<boolean>;
  /** The result of a callable function. */
  call<Result>(name: string, data: unknown): Promise<Result | undefined>;
}

export interface Connection {
  /** How many milliseconds the store's clock is ahead of this one; undefined until the store has answered. */
  aheadMs(): number | undefined;
  /** The name of a document in writes and reads. */
  name(collection: string, id: string): string;
  /**
   * Runs calls under one deadline and rejects with a `StorageError` only. With `final` the first call leaves before anything
   * is awaited, with the tokens of the calls before, because a page that is being closed waits for nothing.
   */
  attempt<T>(run: (calls: Calls) => Promise<T>, final?: boolean): Promise<T>;
}

export function connect(target: Target, tokens: Tokens): Connection {
  const name = (collection: string, id: string) => `${target.root}/${collection}/${id}`;
  let aheadMs: number | undefined;
  const learnTime = (time: string) => {
    const storeTime = Date.parse(time);
    if (storeTime) aheadMs = storeTime - Date.now();
  };

  const callsUntil = (signal: AbortSignal): Calls => {
    /** The parsed body; undefined where Firestore refuses. */
    async function post<T>(url: string, body: unknown, headers?: HeadersInit): Promise<T | undefined> {
      const answer = await fetch(url, {
        method: 'POST',
        // A string goes as text/plain, which needs no preflight; keepalive lets it leave a page that is being closed.
        body: JSON.stringify(body),
        headers: { ...headers, ...tokens.headers() },
        keepalive: true,
        signal,
      });
      // Read here, so that the deadline holds for a body that stops half-way too.
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text);
      if (!headers && REFUSALS.includes(answer.status) && !text.includes(CONTENTION)) return undefined;
      throw toFailure(answer, text);
    }
    const ask = <T>(verb: string, body: unknown) => post<T>(target.verbUrl(verb), body);

    return {
      async commit(write) {
        const committed = await ask<{ commitTime: string }>('commit', { writes: [write] });
        if (committed) learnTime(committed.commitTime);
        return !!committed;
      },
      async readMissing(document = name('email_signups', 'nobody')) {
        type Read = { missing?: string; readTime: string };
        const [read] = (await ask<Read[]>('batchGet', { documents: [document] })) ?? [];
        if (read) learnTime(read.readTime);
        return !!read?.missing;
      },
      async call<Result>(name: string, data: unknown) {
        // Callable functions accept no other type.
        const headers = { 'Content-Type': 'application/json' };
        const answer = await post<{ result: Result }>(target.functionUrl(name), { data }, headers);
        return answer?.result;
      },
    };
  };

  return {
    name,
    aheadMs: () => aheadMs,
    async attempt(run, final) {
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(), target.deadlineMs);
      try {
        if (!final) await tokens.refresh(target.deadlineMs / 2);
        return await run(callsUntil(abort.signal));
      } catch (cause) {
        throw cause instanceof StorageError ? cause : new StorageError('unavailable', 'no answer', { cause });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
