import { isId, isWhole, read, type UntrustedFields, write } from './local-storage.ts';
import { visitorHash } from './visitor-hash.ts';

/** What is stored of a visitor, with the names of SPEC section 3. */
export interface Visitor {
  readonly visitorId: string;
  /** When the latest visit began, in epoch milliseconds. */
  readonly lastVisit: number;
  /** Visits so far, the latest included. */
  readonly totalSessions: number;
}

const KEY = 'visitor_data';

/**
 * Counts a visit that begins now. A visitor who is stored keeps the id, whatever has changed about the browser since;
 * `previous` stands in where nothing can be stored.
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
