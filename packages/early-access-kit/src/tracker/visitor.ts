import { isId, isWhole, read, type UntrustedFields, write } from './local-storage.ts';
import { visitorHash } from './visitor-hash.ts';

/** The stored visitor, with the names of SPEC section 3. */
export interface Visitor {
  readonly visitorId: string;
  /** When the latest session started, in epoch milliseconds. */
  readonly lastVisit: number;
  /** Sessions so far, including the latest. */
  readonly totalSessions: number;
}

const KEY = 'visitor_data';

/**
 * Counts a session that starts now. A stored visitor's id never changes, even if the browser does; `previous` is used if nothing can be
 * stored.
 */
export function countVisit(now: number, previous: Visitor | undefined): Visitor {
  const stored = read(KEY);
  const known = isVisitor(stored) ? stored : previous;
  const visitor = {
    visitorId: known?.visitorId ?? visitorHash(),
    lastVisit: now,
    totalSessions: (known?.totalSessions ?? 0) + 1,
  };
  write(KEY, JSON.stringify(visitor));
  return visitor;
}

function isVisitor(fields: UntrustedFields): fields is UntrustedFields & Visitor {
  return isId(fields.visitorId) && isWhole(fields.totalSessions);
}
