import type { AnalyticsSummary, EmailSignup, SessionStart, SessionUpdate } from './records.ts';

/** `created` where the record of this submission is kept, `duplicate` where the address was kept for another one. */
export type SignupResult = 'created' | 'duplicate';

/**
 * What the widgets ask of a store. Every method rejects with a `StorageError` and nothing else, ends within
 * `CALL_DEADLINE_MS` per attempt, and validates on the trusted side. `runAdapterContract` (early-access-kit/testing) checks it;
 * the errors and the deadline only if it is told how to break the store (`capabilities.breakStore`).
 */
export interface StorageAdapter {
  /**
   * Keeps a sign-up. EXACTLY ONE record per normalised address, whoever races: of 50 parallel calls one is `created`
   * and 49 are `duplicate`. NEVER alters a record that is there. The same `submission_id` again answers `created` again;
   * so an answer that was lost on its way is asked for once more (after `unavailable`, by the adapter itself)
   * and never turns into a false "already registered".
   */
  createSignup(signup: EmailSignup): Promise<SignupResult>;

  /**
   * Sees to it that the welcome email goes out. AT MOST ONE email per sign-up, ever, however often and by whomever it is
   * called; NONE to an address that is not signed up, and the answer does not tell which. May reject; nothing depends on it.
   */
  sendWelcomeEmail(email: string): Promise<void>;

  /** Keeps the start of a visit. The id is the client's: starting twice gives ONE record, and never lowers what an update brought. */
  startSession(session: SessionStart): Promise<void>;

  /**
   * Keeps the totals of a visit: an UPSERT, so that an update that overtakes its start or comes after the end is kept.
   * Numbers merge by maximum, `session_end` by the latest: every order and repetition of the same updates gives the SAME record.
   * The start fields belong to the visit: all calls with one id carry the same, and those that came first stand.
   * With `final` the data leave the page even while it is being closed.
   */
  updateSession(id: string, update: SessionUpdate, options?: { final?: boolean }): Promise<void>;

  /**
   * The owner's numbers. Rejects with `forbidden` unless the address is the configured one, compared where the numbers are,
   * never in the browser. Never reads every session.
   */
  readSummary(adminEmail: string): Promise<AnalyticsSummary>;
}
