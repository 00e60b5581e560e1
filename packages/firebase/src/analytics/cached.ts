import type { Clock } from 'early-access-server/app';

/** Remembers the last answer of `read` for so long, one under way included; a failure is not remembered. */
export function cached<T>(read: () => Promise<T>, forMs: number, clock: Clock): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | null = null;
  return () => {
    const now = clock();
    if (last !== null && now - last.at < forMs) return last.answer;
    const current = { at: now, answer: read() };
    last = current;
    current.answer.catch(() => {
      if (last === current) last = null;
    });
    return current.answer;
  };
}
