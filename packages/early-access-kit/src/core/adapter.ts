import type { AnalyticsSummary, EmailSignup, SessionStart, SessionUpdate } from './records.ts';

/**
 * `created`: this submission's record is stored and on the list. `pending`: it is stored, and on the list once its
 * owner has confirmed the address. `duplicate`: the address was already stored by another submission.
 */
export type SignupResult = 'created' | 'pending' | 'duplicate';

/** Texts for a visitor who has to confirm their address, instead of the success message. */
export interface Inbox {
  readonly successTitle: string;
  readonly successText?: string | undefined;
  /** The text of a link to the visitor's webmail, and its URL, if the provider is known. */
  readonly link?: string | undefined;
  readonly url?: string | undefined;
}

/** A person's own link to share, with the texts for it in the visitor's language. */
export interface SharedLink {
  readonly url: string;
  readonly title: string;
  /** When a friend counts. */
  readonly hint: string;
  /** The message that is sent with the URL. */
  readonly text: string;
  readonly share: string;
  readonly copy: string;
  readonly copied: string;
  /** How many friends have joined. */
  readonly friends: string;
  /** The place in line, if the site shows places. */
  readonly place?: string | undefined;
}

/** The names of an adapter's methods. */
export type StorageCall = Exclude<keyof StorageAdapter, 'endpoint'>;

/** How the browser that made a signup shows that it is its own: no one else knows the `submission_id`. */
export type OwnSignup = Pick<EmailSignup, 'email' | 'submission_id'>;

/**
 * The storage behind the widgets: five methods, and three optional ones for what not every store has. Every method only
 * rejects with `StorageError`, settles within `CALL_DEADLINE_MS` per attempt, and validates its input on the trusted
 * side. `runAdapterContract` (early-access-kit/testing) verifies this; it only verifies the errors and the deadline if
 * it can break the store (`capabilities.breakStore`).
 */
export interface StorageAdapter {
  /**
   * Stores a signup. Guarantees EXACTLY ONE record per normalized address: of 50 parallel calls, one returns `created`
   * or `pending` and 49 return `duplicate`. NEVER changes an existing record. Repeating a call with the same
   * `submission_id` returns how the signup stands now: `pending` until its owner has confirmed the address, then
   * `created`, never `duplicate`. A lost response can therefore be retried (the adapter does so itself after
   * `unavailable`) and never turns into a false "already registered". Rejects with `invalid` if `signup.fields`
   * contains anything that is not declared. `lang` is the language of the page as a BCP 47 tag; an adapter may ignore
   * it.
   */
  createSignup(signup: EmailSignup, lang?: string): Promise<SignupResult>;

  /**
   * Requests the welcome email. AT MOST ONE email is sent per signup, ever, no matter how often or by whom this is
   * called. NONE is sent to an address that is not signed up, and the result is the same in both cases. May reject;
   * nothing depends on it.
   */
  sendWelcomeEmail(email: string): Promise<void>;

  /**
   * Stores the start of a session. The client chooses the id: starting twice gives ONE record and never lowers the
   * totals of an update.
   */
  startSession(session: SessionStart): Promise<void>;

  /**
   * Stores the totals of a session as an UPSERT: an update that arrives before the start or after the end is stored
   * too. Numbers merge by maximum, `session_end` by the latest, so the same updates give the SAME record in any order
   * and however often they are repeated. The start fields never change: the first ones stored win, even if a later page
   * sends others. With `final`, the request is sent even while the page is being closed.
   */
  updateSession(id: string, update: SessionUpdate, options?: { final?: boolean }): Promise<void>;

  /**
   * Returns the analytics summary. Rejects with `forbidden` unless the address is the configured admin email. The
   * comparison happens on the trusted side, never in the browser. Never reads every session.
   */
  readSummary(adminEmail: string): Promise<AnalyticsSummary>;

  /**
   * Returns the texts for a visitor whose signup is `pending`, in the language of the BCP 47 tag `lang` if the store
   * has it, otherwise in the browser's, and lets this browser confirm without a click, as far as it can. Says nothing
   * about whether the address is stored. The form shows its own text if the method is missing, rejects, or returns
   * undefined.
   */
  readonly inbox?: ((signup: OwnSignup, lang?: string) => Promise<Inbox | undefined>) | undefined;

  /**
   * Returns the share link of a signup with texts in the language `lang`: the same link each time. Undefined if there
   * is none, or if the signup is another's: the `submission_id` of an address is the only way to its link.
   */
  readonly share?: ((signup: OwnSignup, lang?: string) => Promise<SharedLink | undefined>) | undefined;

  /**
   * Returns how many people have joined, as far as the store shows it to anyone: never more than have. Undefined if it
   * shows no number.
   */
  readonly count?: (() => Promise<number | undefined>) | undefined;

  /** The base URL of the server's API, if there is one: the dashboard and the challenges of `proofOfWork` are there. */
  readonly endpoint?: string | undefined;
}
