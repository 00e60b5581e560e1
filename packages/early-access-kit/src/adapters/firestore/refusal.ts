/** What is only needed once the rules refuse something or the visitor's clock is off: loaded then, so that most pages never do. */
import type { SignupResult } from '../../core/adapter.ts';
import { believableTimes, believableTotals } from '../../core/believable-times.ts';
import { StorageError } from '../../core/errors.ts';
import { CLOCK_TOLERANCE_MS, MAX_TOTAL } from '../../core/limits.ts';
import { codeOfStatus } from '../../core/protocol.ts';
import type { EmailSignup, SessionStart, SessionTotals } from '../../core/records.ts';
import { parseSessionStart, parseSessionUpdate, parseSignup } from '../../core/validation.ts';
import type { Calls, Connection } from './calls.ts';

/** A session with everything that is known about it so far. */
export type WholeSession = SessionStart & SessionTotals;

/**
 * What became of a signup that the rules refused to create: either the address is there or everything is refused, and only a read that has
 * to be allowed tells these two apart.
 */
export async function resultOfRefusedSignup(
  calls: Calls,
  { name }: Connection,
  signup: EmailSignup,
  document: string,
): Promise<SignupResult> {
  const [repeated, control, missing] = await Promise.all([
    // Allowed only for the submission that the record came from.
    isMissing(calls, `${document}/submissions/${encodeURIComponent(signup.submission_id)}`),
    readControl(calls, name),
    isMissing(calls, document),
  ]);
  if (repeated) return 'created';
  if (control && !missing) return 'duplicate';
  throw refusal(() => parseSignup(signup));
}

/** Reads a signup that cannot exist, because the ids of signups are hashes. The rules allow that if they are deployed. */
export function readControl(calls: Calls, name: Connection['name']): Promise<boolean> {
  return isMissing(calls, name('email_signups', 'nobody'));
}

/** Whether the rules let this document be read, which is never there if they do. */
async function isMissing(calls: Calls, document: string): Promise<boolean> {
  const [read] =
    (await calls.ask<{ missing?: string; readTime?: string }[]>('batchGet', { documents: [document] })) ?? [];
  return !!read?.missing;
}

/** Why the rules refused a session. */
export function sessionRefusal(session: WholeSession): StorageError {
  return refusal(() => {
    parseSessionStart(session);
    parseSessionUpdate(session);
  });
}

/** `invalid` if a check fails that the rules make too, otherwise `forbidden`. */
function refusal(check: () => void): StorageError {
  try {
    check();
  } catch (error) {
    if (error instanceof StorageError) return error;
  }
  return new StorageError('forbidden', 'check firestore.rules, App Check and the API key');
}

/**
 * The session with times and a duration that the rules accept. `storedStart` is its start as stored, if it is known to be; `aheadMs` is how
 * far the store's clock is ahead of the visitor's.
 */
export function toStoreTime(session: WholeSession, storedStart: number | undefined, aheadMs: number): WholeSession {
  const now = Date.now() + aheadMs;
  const { session_start, session_end, total_duration } = session;
  // The rules cannot see it, because the bound below hides it.
  if (total_duration > MAX_TOTAL.total_duration) throw new StorageError('invalid', 'total_duration is too high');
  // A clock that is days off is moved to the store's; any other stays, because all pages of a session have to agree on its start.
  const shift = Math.abs(now - session_start) > CLOCK_TOLERANCE_MS ? aheadMs : 0;
  const moved = { ...session, session_start: session_start + shift, session_end: session_end && session_end + shift };
  const believed = believableTimes(moved, now);
  return believableTotals(believed, storedStart ?? believed.session_start, now);
}

/** The failure that an answer other than 2xx stands for. Its body is Google's error as JSON, or some proxy's page. */
export function toFailure({ status, headers }: Response, body: string): StorageError {
  // A missing function and contention are no fault of the data.
  const passing = status === 404 || status === 409;
  return new StorageError(passing ? 'unavailable' : codeOfStatus(status), `${status} ${body.slice(0, 300)}`, {
    retryAfter: Number(headers.get('Retry-After')) || undefined,
  });
}
