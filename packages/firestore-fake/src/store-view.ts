import { type WireDocument, wireDocument } from './data/document.ts';
import { documentPath, type Names } from './data/names.ts';
import type { MapFields } from './data/value.ts';
import type { Engine } from './engine/engine.ts';

/** Direct access to the documents, without rules, faults and billing. */
export interface StoreView {
  /** The documents of a collection (`sessions`), by id. */
  list(collection: string): readonly WireDocument[];
  /** The document at a path (`sessions/s1`), or undefined. */
  get(path: string): WireDocument | undefined;
  /** Stores a document with exactly these fields. */
  put(path: string, fields: MapFields): void;
  clear(): void;
}

export function storeView(engine: Engine, names: Names): StoreView {
  return {
    list(collection) {
      const documents = [...engine.documents.list(collection)];
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
