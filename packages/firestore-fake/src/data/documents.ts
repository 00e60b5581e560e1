import type { StoredDocument } from './document.ts';
import { getCollection } from './names.ts';

export interface ReadonlyDocuments {
  get(path: string): StoredDocument | undefined;
  /** The documents of a collection, or of all of them if none is given. */
  list(collection?: string): Iterable<StoredDocument>;
}

/** The documents by collection, so that a query only looks at its own. */
export class Documents implements ReadonlyDocuments {
  readonly #collections = new Map<string, Map<string, StoredDocument>>();

  get(path: string): StoredDocument | undefined {
    return this.#collections.get(getCollection(path))?.get(path);
  }

  *list(collection?: string): Iterable<StoredDocument> {
    const collections = collection === undefined ? this.#collections.keys() : [collection];
    for (const name of collections) yield* this.#collections.get(name)?.values() ?? [];
  }

  put(document: StoredDocument): void {
    const collection = getCollection(document.path);
    const documents = this.#collections.get(collection) ?? new Map<string, StoredDocument>();
    this.#collections.set(collection, documents.set(document.path, document));
  }

  delete(path: string): void {
    this.#collections.get(getCollection(path))?.delete(path);
  }

  clear(): void {
    this.#collections.clear();
  }

  /** As they are now. */
  snapshot(): ReadonlyDocuments {
    const copy = new Documents();
    for (const [collection, documents] of this.#collections) copy.#collections.set(collection, new Map(documents));
    return copy;
  }
}
