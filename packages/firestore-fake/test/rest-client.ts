import type { FirestoreFake, Value } from '../src/firestore-fake.ts';

const ROOT = 'projects/demo-early-access/databases/(default)/documents';

/** A minimal REST client that sends requests unchanged. */
export function restClient(fake: FirestoreFake, authorization?: string) {
  const headers = authorization === undefined ? {} : { authorization };
  const send = async (target: string, body: string) => {
    const response = await fetch(`${fake.restUrl}/v1/${ROOT}${target}`, { method: 'POST', headers, body });
    const text = await response.text();
    const json: unknown = response.headers.get('content-type')?.startsWith('application/json')
      ? JSON.parse(text)
      : text;
    return { status: response.status, body: json, headers: response.headers };
  };
  return {
    raw: (verb: string, body: string) => send(`:${verb}?key=k`, body),
    post: (verb: string, body: object, parent = '') => send(`${parent}:${verb}?key=k`, JSON.stringify(body)),
    commit: (...writes: readonly object[]) => send(':commit?key=k', JSON.stringify({ writes })),
  };
}

export function nameDocument(path: string): string {
  return `${ROOT}/${path}`;
}

export function update(path: string, fields: Readonly<Record<string, Value>>, more: object = {}): object {
  return { update: { name: nameDocument(path), fields }, ...more };
}
