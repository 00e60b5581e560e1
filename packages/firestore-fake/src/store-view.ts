import { type WireDocument, wireDocument } from './data/document.ts';
import { collectionOf, documentPath, type Names } from './data/names.ts';
import type { MapFields } from './data/value.ts';
import type { Engine } from './engine/engine.ts';

/** The raw documents, beside all rules and faults, and without being billed. */
export interface StoreView {
  /** The documents of a collection (`sessions`), by id. */
  list(collection: string): readonly WireDocument[];
  /** The document at a path (`sessions/s1`), undefined where there is none. */
  get(path: string): WireDocument | undefined;
  /** Prepares a document; the fields are kept as they are. */
  put(path: string, fields: MapFields): void;
  clear(): void;
}

export function storeView(engine: Engine, names: Names): StoreView {
  return {
    list(collection) {
      const documents = [...engine.documents.values()].filter(({ path }) => collectionOf(path) === collection);
      documents.sort((a, b) => (a.path < b.path ? -1 : 1));
      return documents.map((document) => wireDocument(document, names));
    },
    get(path) {
      const document = engine.documents.get(documentPath(path, 'path'));
      return document === undefined ? undefined : wireDocument(document, names);
    },
    put: (path, fields) => engine.put(documentPath(path, 'path'), fields),
    clear: () => engine.clear(),
  };
}
