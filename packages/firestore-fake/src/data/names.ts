import { Buffer } from 'node:buffer';
import { invalid } from '../status.ts';
import { readString } from './json.ts';

/**
 * Resource names of one database. Inside the engine a path is the part after `…/documents/`: `sessions/s1` is a document,
 * `sessions` a collection and the empty path the root.
 */
export interface Names {
  /** `projects/P/databases/(default)` */
  readonly database: string;
  /** The resource name of a path. */
  full(path: string): string;
  /** The path of a document's resource name. */
  readDocument(value: unknown, at: string): string;
  /** The path of a query's parent: a document, or the root (''). */
  readParent(value: unknown, at: string): string;
}

export function createNames(projectId: string): Names {
  const database = `projects/${projectId}/databases/(default)`;
  const root = `${database}/documents`;
  const relative = (name: string, at: string) => {
    if (name === root) return '';
    if (!name.startsWith(`${root}/`)) throw invalid(`${at} must lie within ${root}, but is ${name}`);
    return name.slice(root.length + 1);
  };
  return {
    database,
    full: (path) => (path === '' ? root : `${root}/${path}`),
    readDocument: (value, at) => documentPath(relative(readString(value, at), at), at),
    readParent(value, at) {
      const path = relative(readString(value, at), at);
      return path === '' ? '' : documentPath(path, at);
    },
  };
}

/** Checks that a path alternates collections and ids and ends with an id. */
export function documentPath(path: string, at: string): string {
  const segments = path.split('/');
  if (segments.length % 2 !== 0) throw invalid(`${at} names a collection, not a document: ${path}`);
  for (const [place, segment] of segments.entries())
    checkSegment(segment, at, place % 2 === 1 ? 'document' : 'collection');
  return path;
}

export function checkSegment(segment: string, at: string, of: 'collection' | 'document'): string {
  const wellFormed = segment !== '' && segment !== '.' && segment !== '..' && !segment.includes('/');
  if (!wellFormed) throw invalid(`${at} has an id that is empty or malformed`);
  if (isReserved(segment) && !(of === 'document' && isNumericId(segment))) {
    throw invalid(`${at} has the reserved id "${segment}"`);
  }
  if (Buffer.byteLength(segment) > 1500) throw invalid(`${at} has an id of more than 1500 bytes`);
  return segment;
}

/** Names of documents, collections and fields that Firestore keeps for itself. */
export function isReserved(name: string): boolean {
  return /^__.+__$/s.test(name);
}

/** Ids of documents that another product numbered. */
function isNumericId(segment: string): boolean {
  const number = /^__id(0|-?[1-9]\d{0,18})__$/.exec(segment)?.[1];
  return number !== undefined && BigInt.asIntN(64, BigInt(number)) === BigInt(number);
}

/** `sessions` of `sessions/s1`. */
export function getCollection(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
