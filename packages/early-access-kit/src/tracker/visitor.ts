import { isId } from '../core/random-id.ts';
import { isPositiveInteger, read, type UntrustedFields, write } from './local-storage.ts';

/** The stored visitor, under the names of SPEC section 3. */
export interface Visitor {
  readonly visitorId: string;
  /** When the latest session started, in epoch milliseconds. */
  readonly lastVisit: number;
  /** Sessions so far, including the latest. */
  readonly totalSessions: number;
}

const KEY = 'visitor_data';

/**
 * Counts a session that starts now. A stored visitor's id never changes, even if the browser does; `previous` is used
 * if nothing can be stored.
 */
export function countSession(now: number, previous: Visitor | undefined): Visitor {
  const stored = read(KEY);
  const { visitorId = visitorHash(), totalSessions = 0 }: Partial<Visitor> = isVisitor(stored)
    ? stored
    : (previous ?? {});
  const visitor = { visitorId, lastVisit: now, totalSessions: totalSessions + 1 };
  write(KEY, JSON.stringify(visitor));
  return visitor;
}

/**
 * Removes all data that the tracker stored in the browser. Call it when a visitor withdraws their consent, after
 * stopping the tracker.
 *
 * @example
 * stop();
 * forgetVisitor();
 */
export function forgetVisitor(): void {
  write(KEY);
  write('current_session');
}

export function isVisitor(fields: UntrustedFields): fields is UntrustedFields & Visitor {
  return isId(fields.visitorId) && isPositiveInteger(fields.totalSessions);
}

/**
 * Returns the id of a new visitor: a hash of browser and device traits (SPEC section 9). Identical devices may share
 * it.
 */
export function visitorHash(): string {
  // Only stable traits: rotating a phone swaps width and height, and daylight saving time changes the current offset.
  return hash(
    [
      navigator.userAgent,
      navigator.language,
      navigator.hardwareConcurrency,
      screen.width * screen.height,
      new Date(0).getTimezoneOffset(),
    ].join(),
  );
}

/**
 * Returns the 32-bit FNV-1a hash in hexadecimal. Devices with equal traits cause far more shared ids than hash
 * collisions do. `crypto.subtle` would be asynchronous, and is missing on plain HTTP.
 */
export function hash(text: string): string {
  let sum = 0x811c9dc5;
  for (const character of text) sum = Math.imul(sum ^ character.charCodeAt(0), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}
