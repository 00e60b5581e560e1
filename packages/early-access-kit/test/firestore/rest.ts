import { merge, toFields, type Write } from '../../src/adapters/firestore/values.ts';
import { newProjectId } from './backend.ts';

/** Firestore's response to a client with hand-written requests. */
export interface RestResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Every test file has its own database. */
export const PROJECT_ID = newProjectId();

const ROOT = `projects/${PROJECT_ID}/databases/(default)/documents`;

export type Fields = Parameters<typeof toFields>[0];
export type Operation = Write | { delete: string } | { update: { name: string; fields: object } };

export function documentName(collection: string, id: string): string {
  return `${ROOT}/${collection}/${id}`;
}

export async function send(
  restUrl: string,
  verb: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<RestResponse> {
  const response = await fetch(`${restUrl}/v1/${ROOT}:${verb}?key=demo-key`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers,
  });
  return { status: response.status, body: await response.json() };
}

/** Commits these writes together and returns the status. */
export async function commit(restUrl: string, ...writes: Operation[]): Promise<number> {
  return (await send(restUrl, 'commit', { writes })).status;
}

/** Sets the whole document to these fields. */
export function set(name: string, fields: Fields): Write {
  return { update: { name, fields: toFields(fields) } };
}

/** Sets these fields only. */
export function change(name: string, fields: Fields): Write {
  return merge(name, fields, {});
}

/** Adds `created_at` from the store's clock. */
export function stamped(write: Write): Write {
  return { ...write, updateTransforms: [{ fieldPath: 'created_at', setToServerValue: 'REQUEST_TIME' }] };
}
