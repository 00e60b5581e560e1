import type { StoredDocument } from '../data/document.ts';
import type { Micros } from '../data/time.ts';
import type { Query } from '../query/query.ts';

/** Documents by path, before or after a commit. */
export type View = (path: string) => StoredDocument | undefined;

interface GuardedWrite {
  readonly method: 'create' | 'update' | 'delete' | 'get';
  readonly path: string;
  readonly before: StoredDocument | undefined;
  readonly after: StoredDocument | undefined;
}

/** Who may do what. Each method returns or throws, with PERMISSION_DENIED as a rule. */
export interface Guard {
  get(path: string, document: StoredDocument | undefined, view: View, requestTime: Micros): void;
  list(query: Query, view: View, requestTime: Micros): void;
  /** `view` is the database before the commit, `after` once the whole of it has taken effect. */
  write(write: GuardedWrite, view: View, after: View, requestTime: Micros): void;
}

/** The owner's: everything is allowed. */
export const OWNER: Guard = { get() {}, list() {}, write() {} };
