import { vi } from 'vitest';

/** The outcome of a call: a response, an error, or no response at all. */
export type Outcome = Response | Error | 'never';

/** A fake `fetch` that returns the given responses one after another and records the calls. */
export function fakeFetch(...outcomes: Outcome[]) {
  const fetch = vi.fn((_url: string, init: RequestInit) => {
    const outcome = outcomes.shift() ?? new Error('unexpected call');
    return new Promise<Response>((resolve, reject) => {
      if (outcome === 'never') init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      else if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    });
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

/**
 * Replaces `AbortSignal.timeout`, which fake timers do not affect. Returns the deadlines that were set, in
 * milliseconds, and a function that expires the last one.
 */
export function fakeDeadlines() {
  const set: number[] = [];
  let last = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    set.push(ms);
    last = new AbortController();
    return last.signal;
  });
  return { set, pass: () => last.abort(new DOMException('timed out', 'TimeoutError')) };
}

export function json(body: unknown, status = 200, headers: HeadersInit = {}): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

/** Firestore's response to a committed write. */
export const COMMITTED = { writeResults: [{}], commitTime: '2025-06-01T00:00:00Z' };

/** Returns an error response in Google's format. */
export function googleError(code: number, status: string, headers: HeadersInit = {}): Response {
  return Response.json({ error: { code, status, message: `because of ${status}` } }, { status: code, headers });
}

/** Returns Firestore's response to a read of a missing document. */
export function missingDocument(): Response {
  const missing = 'projects/p/databases/(default)/documents/email_signups/nobody';
  return Response.json([{ missing, readTime: new Date().toISOString() }]);
}
