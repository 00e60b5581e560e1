import type { StoredDocument } from '../data/document.ts';
import type { Micros } from '../data/time.ts';
import type { Query } from '../query/query.ts';

/** Documents by path. */
export type View = (path: string) => StoredDocument | undefined;

interface GuardedWrite {
  readonly method: 'create' | 'update' | 'delete' | 'get';
  readonly path: string;
  readonly before: StoredDocument | undefined;
  readonly after: StoredDocument | undefined;
}

/** Access control. Each method throws if the access is denied. */
export interface Guard {
  get(path: string, document: StoredDocument | undefined, view: View, requestTime: Micros): void;
  list(query: Query, view: View, requestTime: Micros): void;
  /** `view` is the database before the commit. */
  write(write: GuardedWrite, view: View, requestTime: Micros): void;
}

/** Allows everything. */
export const OWNER: Guard = { get() {}, list() {}, write() {} };
