import { compareValues } from '../data/compare.ts';
import type { StoredDocument } from '../data/document.ts';
import type { ReadonlyDocuments } from '../data/documents.ts';
import { getCollection, type Names } from '../data/names.ts';
import type { Value } from '../data/value.ts';
import { matches, operandValue } from './filter.ts';
import type { Cursor, Query } from './query.ts';

interface Candidate {
  readonly document: StoredDocument;
  /** One value per `orderBy` of the query. */
  readonly keys: readonly Value[];
}

/** The documents that a query returns, in its order. */
export function runQuery(query: Query, documents: ReadonlyDocuments, names: Names): readonly StoredDocument[] {
  const { offset, limit } = query;
  const found = findMatches(query, documents, names);
  found.sort((one, other) => compareKeys(one.keys, other.keys, query));
  return found.slice(offset, limit === undefined ? undefined : offset + limit).map(({ document }) => document);
}

/** The same documents in any order: sorting a million documents is slow. */
export function runUnordered(query: Query, documents: ReadonlyDocuments, names: Names): readonly StoredDocument[] {
  if (query.offset > 0 || query.limit !== undefined) return runQuery(query, documents, names);
  return findMatches(query, documents, names).map(({ document }) => document);
}

function findMatches(query: Query, documents: ReadonlyDocuments, names: Names): Candidate[] {
  const { startAt, endAt } = query;
  return candidates(query, documents, names)
    .filter((one) => startAt === undefined || comesAfter(one, startAt, query))
    .filter((one) => endAt === undefined || !comesAfter(one, endAt, query));
}

/** Documents without a field of `orderBy` are in no index and therefore in no result. */
function candidates(query: Query, documents: ReadonlyDocuments, names: Names): Candidate[] {
  const result: Candidate[] = [];
  for (const document of documentsInScope(query, documents)) {
    if (query.where !== undefined && !matches(query.where, document, names)) continue;
    const keys = query.orderBy.flatMap(({ operand }) => operandValue(operand, document, names) ?? []);
    if (keys.length === query.orderBy.length) result.push({ document, keys });
  }
  return result;
}

function* documentsInScope(query: Query, documents: ReadonlyDocuments): Iterable<StoredDocument> {
  const { parent, collectionId, allDescendants } = query;
  const under = parent === '' ? '' : `${parent}/`;
  if (!allDescendants) return yield* documents.list(`${under}${collectionId}`);
  for (const document of documents.list()) {
    const last = getCollection(document.path).split('/').at(-1);
    if (document.path.startsWith(under) && (collectionId === undefined || collectionId === last)) yield document;
  }
}

function comesAfter(one: Candidate, cursor: Cursor, query: Query): boolean {
  const result = compareKeys(one.keys.slice(0, cursor.values.length), cursor.values, query);
  return result > 0 || (result === 0 && cursor.before);
}

function compareKeys(keys: readonly Value[], others: readonly Value[], query: Query): number {
  for (const [index, { direction }] of query.orderBy.entries()) {
    const [key, other] = [keys[index], others[index]];
    if (key === undefined || other === undefined) break;
    const result = compareValues(key, other) * direction;
    if (result !== 0) return result;
  }
  return 0;
}
