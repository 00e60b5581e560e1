import type { Awaitable } from './log.ts';

/** A signed-in browser. Times are epoch milliseconds. */
export interface AdminSession {
  /** Names the session in lists. Not the cookie's token, and of no use without it. */
  readonly id: string;
  /** The admin's normalised address. */
  readonly email: string;
  readonly created_at: number;
  readonly last_used_at: number;
  /** Browser and system as the `User-Agent` says them, shortened: `Firefox on Windows`. */
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

/** An action of an admin, or one done with an API key. Contains no address of a person. */
export interface AuditEntry {
  readonly at: number;
  /** The id of the admin's session, or of the API key. */
  readonly session: string;
  readonly action: AuditAction;
  /** How many people or sessions it concerned. */
  readonly count: number;
  /** The admin's normalised address. The uses of API keys have none. */
  readonly admin?: string;
  /** The name of the API key or overview link that was used, created or revoked. */
  readonly api_key?: string;
  /** The method and pattern of the route that an API key was used for. Nothing else has one. */
  readonly route?: string;
  /** The normalised address of the member of the team whom it concerned. */
  readonly member?: string;
  /** Whom an export or an action on all who match was about (`describeFilter`). Left out: everyone. */
  readonly filter?: string;
}

/** Who is named in an entry: an admin's session, or an API key with what it is used for. */
export type AuditAuthor = Pick<AuditEntry, 'session' | 'admin' | 'api_key' | 'route'>;

/** When an admin gets an email about new signups: never, soon after each, or once a day about all of it. */
export const SIGNUP_NOTICES = ['off', 'each', 'daily'] as const;
export type SignupNotices = (typeof SIGNUP_NOTICES)[number];

/** The choices of an admin, by the admin's address. */
export interface AdminSettings {
  /** An IANA name such as `Europe/Berlin`; null: the browser's. */
  readonly time_zone: string | null;
  readonly weekly_email: boolean;
  readonly signup_notices: SignupNotices;
}

export const DEFAULT_ADMIN_SETTINGS: AdminSettings = { time_zone: null, weekly_email: false, signup_notices: 'off' };

/** The part of a store that sign-in needs. Tokens arrive hashed (SHA-256, hexadecimal); no token is ever stored. */
export interface AdminStore {
  /** Stores the hash of a sign-in token, of a link or a challenge of a passkey. Deletes expired ones. */
  addSignInToken(token: { readonly hash: string; readonly email: string; readonly expires_at: number }): Promise<void>;
  /**
   * Deletes the token and stores the session in one transaction. Of any number of racing calls exactly one returns the
   * session; null for an unknown, used or expired token.
   */
  redeemSignInToken(
    hash: string,
    session: Pick<AdminSession, 'id' | 'device'> & { readonly hash: string },
  ): Promise<AdminSession | null>;
  /**
   * Deletes a token that is not for a link, such as a challenge. Returns its address, for exactly one of racing calls;
   * null for an unknown, used or expired one.
   */
  takeSignInToken(hash: string): Promise<string | null>;
  /** The session with this token, as long as it is valid by `isSessionValid` (`sign-in.ts`). */
  findSession(hash: string): Awaitable<AdminSession | null>;
  /** Records that the session was used. Called once a minute at most. */
  markSessionUsed(id: string): Promise<void>;
  sessions(): Awaitable<readonly AdminSession[]>;
  /** Returns whether there was one. It stops working at once, in every process. */
  deleteSession(id: string): Promise<boolean>;
  /** Deletes all sessions and sign-in links of an address. Returns how many sessions there were. */
  deleteSessionsOf(email: string): Promise<number>;
  /**
   * Keeps the newest entries: 10,000, or as many as the store's option `auditEntries` says, and as many uses of API
   * keys, so that those push out nothing that admins did.
   */
  addAudit(entry: Omit<AuditEntry, 'at'>): Promise<void>;
  /** The newest entries first. */
  audit(limit: number): Awaitable<readonly AuditEntry[]>;
  settings(email: string): Awaitable<AdminSettings>;
  /** Turning signup notices on starts them at this moment. */
  saveSettings(email: string, settings: AdminSettings): Promise<void>;
  /**
   * Claims the weekly email of this admin for the week that starts at `week`. True for exactly one caller, once, so
   * that it is sent at most once. False for a week before one that was claimed.
   */
  claimWeeklyEmail(email: string, week: number): Promise<boolean>;
  /** Whether the email of this week is claimed, or one of a later week. A read: ask before preparing the email. */
  isWeeklyEmailClaimed(email: string, week: number): Awaitable<boolean>;
  /** Notices to this admin cover signups up to this time. Null if they want no notices. */
  signupsNoticedUntil(email: string): Awaitable<number | null>;
  /**
   * Claims the notice about the signups from `after` until `until`. True for exactly one caller, and only if `after` is
   * still the last one.
   */
  claimSignupNotice(email: string, after: number, until: number): Promise<boolean>;
}
