import type { SignupResult } from '../../core/adapter.ts';
import { isStorageError, StorageError } from '../../core/errors.ts';
import type { Calls, Connection, FirestoreResponse } from './calls.ts';
import { loadOnDemand } from './load-on-demand.ts';
import type { Target } from './options.ts';
import type { Tokens } from './tokens.ts';

/**
 * Statuses that callers handle: denied by the rules, by App Check or by the key's restrictions; no document to update;
 * document already exists. Contention also has status 409, but a different name.
 */
const REFUSALS = [403, 404, 409];
const CONTENTION = '"ABORTED"';

export function connect(target: Target, tokens: Tokens): Connection {
  const name = (collection: string, id: string) => `${target.root}/${collection}/${id}`;
  let aheadMs: number | undefined;

  const callsUntil = (signal: AbortSignal): Calls => {
    /** Returns the parsed body; undefined if Firestore denies the request. */
    async function post<T>(url: string, body: unknown, headers?: HeadersInit): Promise<T | undefined> {
      const response = await fetch(url, {
        method: 'POST',
        // A string body is sent as text/plain, which needs no preflight; keepalive lets the request outlive a page that
        // is being closed.
        body: JSON.stringify(body),
        headers: { ...headers, ...tokens.headers() },
        keepalive: true,
        signal,
      });
      // Read here, so that the deadline also applies to a body that stalls.
      const text = await response.text();
      if (response.ok) return JSON.parse(text);
      if (!headers && REFUSALS.includes(response.status) && !text.includes(CONTENTION)) return undefined;
      throw (await loadOnDemand()).toFailure(response, text);
    }
    async function send<Body extends FirestoreResponse>(verb: string, body: unknown): Promise<Body | undefined> {
      const response = await post<Body>(target.verbUrl(verb), body);
      // A read returns a list.
      const first: { commitTime?: string; readTime?: string } | undefined = [response].flat()[0];
      const storeTime = Date.parse(first?.commitTime ?? first?.readTime ?? '');
      if (storeTime) aheadMs = storeTime - Date.now();
      return response;
    }

    return {
      send,
      commit: async (write) => (await send('commit', { writes: [write] })) !== undefined,
      async signUp(url, signup) {
        const response = await post<{ result?: SignupResult }>(url, signup, {});
        if (response?.result) return response.result;
        throw new TypeError('not a result');
      },
      async call<Result>(name: string, data: unknown) {
        // Callable functions only accept this type.
        const headers = { 'Content-Type': 'application/json' };
        const response = await post<{ result: Result }>(target.functionUrl(name), { data }, headers);
        return response?.result;
      },
    };
  };

  return {
    name,
    aheadMs: () => aheadMs,
    async attempt(run, final) {
      const signal = AbortSignal.timeout(target.deadlineMs);
      // No signal can abort the import of the refusal module, so the deadline must cover it as well.
      const deadline = new Promise<never>((_, reject) => {
        signal.onabort = reject;
      });
      try {
        if (!final) await tokens.refresh(target.deadlineMs / 2);
        return await Promise.race([run(callsUntil(signal)), deadline]);
      } catch (cause) {
        throw isStorageError(cause) ? cause : new StorageError('unavailable', 'no response', { cause });
      }
    },
  };
}
