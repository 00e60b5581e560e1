import { vi } from 'vitest';

/** What a call receives: a response, an error, or nothing, forever. */
export type Answer = Response | Error | 'never';

/** A fake `fetch` that returns the given responses one after another and records the calls. */
export function answering(...answers: Answer[]) {
  const fetch = vi.fn((_url: string, init: RequestInit) => {
    const answer = answers.shift() ?? new Error('unexpected call');
    return new Promise<Response>((resolve, reject) => {
      if (answer === 'never') init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      else if (answer instanceof Error) reject(answer);
      else resolve(answer);
    });
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

export function json(body: unknown, status = 200, headers: HeadersInit = {}): Response {
  return new Response(JSON.stringify(body), { status, headers });
}
