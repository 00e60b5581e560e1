import { StorageError } from '../../core/errors.ts';
import type { Target } from './options.ts';
import type { Tokens } from './tokens.ts';
import type { Write } from './values.ts';

/**
 * Statuses that a caller can make something of: refused by the rules, by App Check or by the restrictions of the key;
 * nothing there to update; there already. Contention has the last one's status too, and another name.
 */
const REFUSALS = [403, 404, 409];
const CONTENTION = '"ABORTED"';

/** What is read of every response: the store's time. Reads are answered with a list. */
type Answer = { commitTime?: string; readTime?: string } | readonly { readTime?: string }[];

/** Calls under one deadline. They reject with whatever came of it; `attempt` makes a `StorageError` of that. */
export interface Calls {
  /** The parsed response to a call of Firestore's API; undefined if it refuses. */
  ask<Body extends Answer>(verb: string, body: unknown): Promise<Body | undefined>;
  /** Whether the write was committed: false if it is refused; rejects if nobody knows. */
  commit(write: Write): Promise<boolean>;
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
      throw (await import('./refusal.ts')).toFailure(answer, text);
    }
    async function ask<Body extends Answer>(verb: string, body: unknown): Promise<Body | undefined> {
      const answer = await post<Body>(target.verbUrl(verb), body);
      const { commitTime, readTime }: { commitTime?: string; readTime?: string } = [answer ?? {}].flat()[0] ?? {};
      const storeTime = Date.parse(commitTime ?? readTime ?? '');
      if (storeTime) aheadMs = storeTime - Date.now();
      return answer;
    }

    return {
      ask,
      commit: async (write) => !!(await ask('commit', { writes: [write] })),
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
