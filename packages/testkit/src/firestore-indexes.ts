import { readFileSync } from 'node:fs';

/** An index or an exemption of `firestore.indexes.json`. */
interface DeployedIndex {
  readonly collectionGroup: string;
  readonly queryScope: string;
  readonly fields: readonly { readonly fieldPath: string; readonly order?: string; readonly arrayConfig?: string }[];
}

/** The contents of the file that `firebase deploy` reads. */
export interface DeployedIndexes {
  readonly indexes: readonly DeployedIndex[];
  readonly fieldOverrides: readonly {
    readonly collectionGroup: string;
    readonly fieldPath: string;
    readonly indexes: readonly {
      readonly queryScope: string;
      readonly order?: string;
      readonly arrayConfig?: string;
    }[];
  }[];
}

/** The part of a query in Firestore's REST API that determines its index. */
export interface StructuredQuery {
  readonly from?: readonly { readonly collectionId?: string; readonly allDescendants?: boolean }[];
  readonly where?: Filter;
  readonly orderBy?: readonly { readonly field?: Field; readonly direction?: string }[];
}

type Field = { readonly fieldPath?: string };

interface Filter {
  readonly compositeFilter?: { readonly op?: string; readonly filters?: readonly Filter[] };
  readonly fieldFilter?: { readonly field?: Field; readonly op?: string };
  readonly unaryFilter?: { readonly field?: Field; readonly op?: string };
}

const NAME = '__name__';
/** Operators that match a single position of an index. All others match a range, in the order of their field. */
const AT_ONE_PLACE = ['EQUAL', 'IN', 'IS_NULL', 'IS_NAN'];
const IN_ARRAYS = ['ARRAY_CONTAINS', 'ARRAY_CONTAINS_ANY'];

export function readIndexes(file: string | URL): DeployedIndexes {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Describes the index that the query needs but that is not deployed; null if it can run. Production rejects such a
 * query, but the emulator does not. Follows https://firebase.google.com/docs/firestore/query-data/index-overview: each
 * field has its own index unless an override removes it, a query with several fields needs a composite index, and
 * indexes that end in the same order are merged for equalities. `summed` are the fields of sums and averages.
 */
export function missingIndex(
  deployed: DeployedIndexes,
  query: StructuredQuery,
  summed: readonly string[] = [],
): string | null {
  const { collectionId = '', allDescendants = false } = query.from?.[0] ?? {};
  const scope = allDescendants ? 'COLLECTION_GROUP' : 'COLLECTION';
  const filters = listFilters(query.where);
  const having = (operators: readonly string[]) =>
    filters.filter(({ op }) => operators.includes(op)).map(({ path }) => path);
  const equal = [
    ...having(AT_ONE_PLACE).map((path) => `${path} =`),
    ...having(IN_ARRAYS).map((path) => `${path} CONTAINS`),
  ].filter((part) => part !== `${NAME} =`);
  const ordered = (query.orderBy ?? []).map(
    ({ field, direction }) => `${field?.fieldPath} ${direction ?? 'ASCENDING'}`,
  );
  const last = ordered.at(-1)?.split(' ')[1] ?? 'ASCENDING';
  const ranges = filters.filter(({ op }) => ![...AT_ONE_PLACE, ...IN_ARRAYS].includes(op)).map(({ path }) => path);
  for (const path of [...ranges.toSorted(), ...summed.toSorted()]) {
    const isOrdered = [...ordered, ...equal].some((part) => part.startsWith(`${path} `));
    if (!isOrdered) ordered.push(`${path} ${last}`);
  }
  // Every index ends in the document's name, in the direction of its last field.
  if (ordered.at(-1) === `${NAME} ${ordered.at(-2)?.split(' ')[1] ?? 'ASCENDING'}`) ordered.pop();

  const hasOwn = (part: string) => hasFieldIndex(deployed, collectionId, scope, part);
  const candidates = deployed.indexes
    .filter((index) => index.collectionGroup === collectionId && index.queryScope === scope)
    .map(({ fields }) =>
      fields.map(({ fieldPath, order, arrayConfig }) => `${fieldPath} ${arrayConfig ?? order ?? 'ASCENDING'}`),
    )
    .filter((fields) => endsIn(fields, ordered))
    .map((fields) => fields.slice(0, fields.length - ordered.length).map(withoutOrder))
    .filter((fields) => fields.every((part) => equal.includes(part)));
  const [only] = ordered;
  if (equal.length === 0) {
    const isFound = candidates.some((fields) => fields.length === 0);
    if (only === undefined || isFound || (ordered.length === 1 && hasOwn(only))) return null;
  } else {
    const covered = new Set([...candidates.flat(), ...(only === undefined ? equal.filter(hasOwn) : [])]);
    if (equal.every((part) => covered.has(part))) return null;
  }
  return `${collectionId} (${scope}): ${[...equal, ...ordered].join(', ')}`;
}

function listFilters(filter: Filter | undefined): { readonly path: string; readonly op: string }[] {
  if (filter?.compositeFilter !== undefined) {
    const { op = 'AND', filters = [] } = filter.compositeFilter;
    if (op !== 'AND') throw new Error(`The check of indexes does not know the filter ${op}.`);
    return filters.flatMap(listFilters);
  }
  const one = filter?.fieldFilter ?? filter?.unaryFilter;
  return one === undefined ? [] : [{ path: one.field?.fieldPath ?? '', op: one.op ?? '' }];
}

function endsIn(fields: readonly string[], end: readonly string[]): boolean {
  return fields.slice(fields.length - end.length).join() === end.join() && fields.length >= end.length;
}

/** An equality can use an index of either direction. */
function withoutOrder(part: string): string {
  return part.replace(/ (ASC|DESC)ENDING$/, ' =');
}

/**
 * Returns whether the field has its own index: by default each has, within its collection. An override of a map applies
 * to its fields, too.
 */
function hasFieldIndex(deployed: DeployedIndexes, collection: string, scope: string, part: string): boolean {
  const [path = '', wanted = ''] = part.split(' ');
  if (path === NAME) return false;
  const override = deployed.fieldOverrides.find(
    ({ collectionGroup, fieldPath }) =>
      collectionGroup === collection && (fieldPath === path || path.startsWith(`${fieldPath}.`)),
  );
  if (override === undefined) return scope === 'COLLECTION';
  return override.indexes.some(
    ({ queryScope, order, arrayConfig }) =>
      queryScope === scope && (wanted === '=' ? order !== undefined : (arrayConfig ?? order) === wanted),
  );
}
