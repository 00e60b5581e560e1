import type { AnalyticsSummary, EmailSignup, SessionStart, SessionUpdate } from './records.ts';

/**
 * `created`: this submission's record is stored and on the list. `pending`: it is stored, and on the list once its
 * owner has confirmed the address. `duplicate`: the address was already stored by another submission.
 */
export type SignupResult = 'created' | 'pending' | 'duplicate';

/** Texts for a visitor who has to confirm their address. They replace the success message. */
export interface Inbox {
  readonly successTitle: string;
  readonly successText?: string | undefined;
  /** A link to the visitor's webmail if the provider is known: its text and URL. */
  readonly link?: string | undefined;
  readonly url?: string | undefined;
}

/** A person's own link to share, with the texts for it in the visitor's language. */
export interface SharedLink {
  readonly url: string;
  readonly title: string;
  /** Explains when a friend counts. */
  readonly hint: string;
  /** The message that is sent with the URL. */
  readonly text: string;
  readonly share: string;
  readonly copy: string;
  readonly copied: string;
  /** The number of friends who have joined, as a text. */
  readonly friends: string;
  /** The place in line as a text, if the site shows places. */
  readonly place?: string | undefined;
}

/** The names of the adapter's methods. */
export type StorageCall = Exclude<keyof StorageAdapter, 'endpoint'>;

/** Proves that the caller made the signup: no one else knows the `submission_id`. */
export type OwnSignup = Pick<EmailSignup, 'email' | 'submission_id'>;

/**
 * The storage behind the widgets: five methods, and three optional ones that not every store supports. Every method
 * only rejects with `StorageError`, settles within `CALL_DEADLINE_MS` per attempt, and validates its input on the
 * trusted side. `runAdapterContract` (early-access-kit/testing) verifies this; it can only verify the errors and the
 * deadline if it can break the store (`capabilities.breakStore`).
 */
export interface StorageAdapter {
  /**
   * Stores a signup. Guarantees EXACTLY ONE record per normalized address: of 50 parallel calls, one returns `created`
   * or `pending` and 49 return `duplicate`. NEVER changes an existing record. Repeating a call with the same
   * `submission_id` returns the signup's current state: `pending` until its owner has confirmed the address, then
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
   * Stores the totals of a session as an UPSERT: even an update that arrives before the start or after the end is
   * stored. Numbers merge by maximum, `session_end` by the latest, so the same updates give the SAME record in any
   * order and however often they are repeated. The start fields never change: the first ones stored win, even if a
   * later page sends others. With `final`, the request is sent even while the page is being closed.
   */
  updateSession(id: string, update: SessionUpdate, options?: { final?: boolean }): Promise<void>;

  /**
   * Returns the analytics summary. Rejects with `forbidden` unless the address is the configured admin email, which is
   * compared on the trusted side, never in the browser. Never reads every session.
   */
  readSummary(adminEmail: string): Promise<AnalyticsSummary>;

  /**
   * Returns the texts for a visitor whose signup is `pending`, in the language of the BCP 47 tag `lang` if the store
   * has it, otherwise in the browser's. Where possible, it also lets this browser confirm without a click. Does not
   * reveal whether the address is stored. The form shows its own text if the method is missing, rejects, or returns
   * undefined.
   */
  readonly inbox?: ((signup: OwnSignup, lang?: string) => Promise<Inbox | undefined>) | undefined;

  /**
   * Returns the share link of a signup, the same one each time, with texts in the language of the BCP 47 tag `lang`.
   * Undefined if there is none, or if `submission_id` is not that of the address.
   */
  readonly share?: ((signup: OwnSignup, lang?: string) => Promise<SharedLink | undefined>) | undefined;

  /** Returns the number of people who have joined, or a lower one; undefined if the store does not show it publicly. */
  readonly count?: (() => Promise<number | undefined>) | undefined;

  /** The base URL of the server's API, if there is one. The dashboard and the challenges of `proofOfWork` are there. */
  readonly endpoint?: string | undefined;
}
