import { askAsOwner } from './rest.ts';

/** A document as Firestore's REST API shows it, in so far as tests look at it. */
interface OwnersDocument {
  readonly name: string;
  readonly fields: unknown;
}

/** Every document of a collection, past the rules. */
export async function listAsOwner(url: string, collectionId: string): Promise<OwnersDocument[]> {
  const { status, body } = await askAsOwner(url, 'runQuery', { structuredQuery: { from: [{ collectionId }] } });
  if (status !== 200 || !Array.isArray(body)) throw new Error(`${collectionId} cannot be listed: ${status}`);
  return body.flatMap((row: { document?: OwnersDocument }) => row.document ?? []);
}

/** Deletes every document of the collections, past the rules. */
export async function erase(url: string, collections: readonly string[]): Promise<void> {
  const documents = (await Promise.all(collections.map((name) => listAsOwner(url, name)))).flat();
  if (documents.length === 0) return;
  await commitAsOwner(
    url,
    documents.map(({ name }) => ({ delete: name })),
  );
}

/** Commits writes past the rules. */
export async function commitAsOwner(url: string, writes: readonly unknown[]): Promise<void> {
  const { status } = await askAsOwner(url, 'commit', { writes });
  if (status !== 200) throw new Error(`the writes failed: ${status}`);
}
