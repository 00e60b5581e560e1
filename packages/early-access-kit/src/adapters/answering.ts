import { vi } from 'vitest';

/** What a call gets: an answer, a failure, or nothing for ever. */
export type Answer = Response | Error | 'never';

/** Stands in for `fetch`: answers the calls one after the other, and records them. */
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
