import { sendAsAdmin } from './rest.ts';

interface AdminDocument {
  readonly name: string;
  readonly fields: unknown;
}

/** Returns every document of a collection, bypassing the rules. */
export async function listAsAdmin(url: string, collectionId: string): Promise<AdminDocument[]> {
  const { status, body } = await sendAsAdmin(url, 'runQuery', { structuredQuery: { from: [{ collectionId }] } });
  if (status !== 200 || !Array.isArray(body)) throw new Error(`${collectionId} cannot be listed: ${status}`);
  return body.flatMap((row: { document?: AdminDocument }) => row.document ?? []);
}

/** Returns the documents with these names that exist, bypassing the rules. */
export async function getAsAdmin(url: string, names: Iterable<string>): Promise<AdminDocument[]> {
  const { status, body } = await sendAsAdmin(url, 'batchGet', { documents: [...new Set(names)] });
  if (status !== 200 || !Array.isArray(body)) throw new Error(`the documents cannot be read: ${status}`);
  return body.flatMap((row: { found?: AdminDocument }) => row.found ?? []);
}

/** Commits writes, bypassing the rules. */
export async function commitAsAdmin(url: string, writes: readonly unknown[]): Promise<void> {
  const { status } = await sendAsAdmin(url, 'commit', { writes });
  if (status !== 200) throw new Error(`the writes failed: ${status}`);
}
