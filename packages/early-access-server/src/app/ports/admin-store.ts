import type { Notice } from '../mail/notice.ts';
import type { Awaitable } from './log.ts';

/** A signed-in browser. Times are epoch milliseconds. */
export interface AdminSession {
  /** Public id of the session. Not the cookie's token, and useless without it. */
  readonly id: string;
  /** The admin's normalized address. */
  readonly email: string;
  readonly created_at: number;
  readonly last_used_at: number;
  /** Browser and system from the `User-Agent` header, shortened: `Firefox on Windows`. */
  readonly device: string;
}

export const AUDIT_ACTIONS = [
  'sign-in',
  'sign-out',
  'revoke-session',
  'export',
  'forget',
  'resend',
  'restore',
  'unsubscribe',
  'label',
  'bulk-started',
  'bulk-paused',
  'bulk-resumed',
  'bulk-cancelled',
  'correct',
  'add',
  'import',
  'import-withdrawn',
  'ignore-consent',
  'invite',
  'withdraw',
  'count-credit',
  'reject-credit',
  'hold-credit',
  'campaign-scheduled',
  'campaign-draft',
  'campaign-sending',
  'campaign-paused',
  'campaign-cancelled',
  'series-sending',
  'series-paused',
  'add-segment',
  'rename-segment',
  'remove-segment',
  'open-list',
  'pause-list',
  'close-list',
  'change-list',
  'export-requests',
  'erase-request',
  'test-mail',
  'resume-mail',
  'unknown-mail-sent',
  'unknown-mail-again',
  'settings',
  'add-webhook',
  'change-webhook',
  'remove-webhook',
  'test-webhook',
  'resend-webhook',
  'add-api-key',
  'revoke-api-key',
  'add-overview-link',
  'revoke-overview-link',
  'overview-link-used',
  'invite-member',
  'change-member',
  'remove-member',
  'add-passkey',
  'rename-passkey',
  'remove-passkey',
  'sign-out-everywhere',
  'api-key-used',
  'api-key-refused',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** An admin's action, or one done with an API key. Contains no address of a person on the list. */
export interface AuditEntry {
  readonly at: number;
  /** The id of the admin's session, or of the API key. */
  readonly session: string;
  readonly action: AuditAction;
  /** The number of people or sessions affected. */
  readonly count: number;
  /** The admin's normalized address. Left out for uses of API keys. */
  readonly admin?: string;
  /** The name of the API key or overview link that was used, created or revoked. */
  readonly api_key?: string;
  /** The method and pattern of the route that an API key was used for. Otherwise left out. */
  readonly route?: string;
  /** The normalized address of the team member affected. */
  readonly member?: string;
  /** The filter of an export or of an action on all matches, in words (`describeFilter`). Left out: everyone. */
  readonly filter?: string;
}

/** The author of an entry: an admin's session, or an API key and its use. */
export type AuditAuthor = Pick<AuditEntry, 'session' | 'admin' | 'api_key' | 'route'>;

/** When an admin gets an email about new signups: never, soon after each, or once a day about all of them. */
export const SIGNUP_NOTICES = ['off', 'each', 'daily'] as const;
export type SignupNotices = (typeof SIGNUP_NOTICES)[number];

/** An admin's settings, by the admin's address. */
export interface AdminSettings {
  /** An IANA name such as `Europe/Berlin`. Null: the browser's zone. */
  readonly time_zone: string | null;
  readonly weekly_email: boolean;
  readonly signup_notices: SignupNotices;
}

export const DEFAULT_ADMIN_SETTINGS: AdminSettings = { time_zone: null, weekly_email: false, signup_notices: 'off' };

/**
 * The part of a store for sign-in, admin settings and the audit. Tokens are passed as SHA-256 hashes in hexadecimal;
 * tokens themselves are never stored.
 */
export interface AdminStore {
  /** Stores the hash of a token, from a sign-in link or a passkey challenge. Deletes expired ones. */
  addSignInToken(token: { readonly hash: string; readonly email: string; readonly expires_at: number }): Promise<void>;
  /**
   * Deletes the token and stores the session in one transaction. Among any number of racing calls, exactly one returns
   * the session. Null for an unknown, used or expired token.
   */
  redeemSignInToken(
    hash: string,
    session: Pick<AdminSession, 'id' | 'device'> & { readonly hash: string },
  ): Promise<AdminSession | null>;
  /**
   * Deletes a token that is not for a link, such as a challenge. Returns its address to exactly one of several racing
   * calls. Null for an unknown, used or expired token.
   */
  takeSignInToken(hash: string): Promise<string | null>;
  /** Finds the session with this token, as long as it is valid by `isSessionValid` (`sign-in.ts`). */
  findSession(hash: string): Awaitable<AdminSession | null>;
  /** Records that the session was used. Called at most once a minute. */
  markSessionUsed(id: string): Promise<void>;
  sessions(): Awaitable<readonly AdminSession[]>;
  /** Ends the session at once, in every process. Returns whether it existed. */
  deleteSession(id: string): Promise<boolean>;
  /** Deletes all sessions and sign-in links of an address. Returns the number of sessions. */
  deleteSessionsOf(email: string): Promise<number>;
  /**
   * Adds an entry, and deletes old ones. The newest 10,000 (or the store's option `auditEntries`) remain. API key uses
   * have their own limit of the same size, so that they cannot displace actions of admins.
   */
  addAudit(entry: Omit<AuditEntry, 'at'>): Promise<void>;
  /** Newest first. */
  audit(limit: number): Awaitable<readonly AuditEntry[]>;
  settings(email: string): Awaitable<AdminSettings>;
  /** Turning on signup notices starts them at the current time. */
  saveSettings(email: string, settings: AdminSettings): Promise<void>;
  /**
   * Queues the weekly email of this admin for the week that starts at `week`, and stores in the same transaction that
   * it is queued: it is sent once, whatever process ends. False if the email of this week or of a later one was queued.
   */
  queueWeeklyEmail(email: string, week: number, notice: Notice): Promise<boolean>;
  /** Whether the email of this week, or of a later one, was queued. A read: ask before preparing the email. */
  isWeeklyEmailQueued(email: string, week: number): Awaitable<boolean>;
  /** Notices to this admin cover signups up to this time. Null if they want no notices. */
  signupsNoticedUntil(email: string): Awaitable<number | null>;
  /**
   * Queues a notice about the signups from its `since` until `until`, and stores in the same transaction that they are
   * covered. False unless `since` is where the last one ended.
   */
  queueSignupNotice(
    email: string,
    until: number,
    notice: Extract<Notice, { readonly type: 'signups' }>,
  ): Promise<boolean>;
}
