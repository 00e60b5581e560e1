/**
 * The collections of the database. Browsers write the first three, through `firestoreAdapter` and as far as
 * `firestore.rules` allow it. Only the application reads and writes all others.
 */
export const COLLECTIONS = {
  /**
   * The id is the SHA-256 of the normalized address. The application adds the state (`list/enrolment.ts`), the place
   * and the share link (`share/credit.ts`). People who unsubscribed have the id `left-{SHA-256}`.
   */
  signups: 'email_signups',
  /** A session, from its start to its last update. Deleted by a TTL policy. */
  sessions: 'sessions',
  /** The time of a device's latest session start. Deleted by a TTL policy. */
  visitors: 'visitors',

  /** The mail queue. Messages to people contain no address. See `message-document.ts` for the ids. */
  mails: 'mails',
  /** Numbers of delivery attempts per hour. */
  mailHours: 'mail_hours',
  /** The pause of the mail queue, in a single document. */
  mailPause: 'mail_pause',
  /**
   * The times of attempts to each mailbox in the last 24 hours, by the SHA-256 of the mailbox. Erasing a person does
   * not delete it earlier.
   */
  mailboxes: 'mailboxes',
  campaigns: 'campaigns',
  /** Conditions that an admin has saved under a name. */
  segments: 'segments',
  /** Actions on many people, and the public ids of the people that remain. */
  bulkJobs: 'bulk_jobs',
  bulkParts: 'bulk_parts',
  /** Links in emails. The id is the SHA-256 of the token. */
  personTokens: 'person_tokens',
  /** Imports that have added people, who have its id in `import_id`. */
  imports: 'imports',
  /** The id is the wave's number. */
  inviteWaves: 'invite_waves',
  /** The status of the list, in a single document. `firestore.rules` reads it, too. */
  listStatus: 'list_status',
  /** People who wait for the list to open. The id is that of their signup. */
  openingRequests: 'opening_requests',
  /** The last signup that the sweep has checked for a missing state. */
  listProgress: 'list_progress',
  /** The secret key of pagination cursors. */
  keys: 'keys',

  webhooks: 'webhooks',
  /** The delivery of one event to one endpoint. Contains no address. */
  webhookDeliveries: 'webhook_deliveries',

  /**
   * The archive for the dashboard's figures. This collection has its state and the tallies; `analytics_parts` has its
   * rows.
   */
  analytics: 'analytics',
  analyticsParts: 'analytics_parts',

  /** Requests for sign-in links, until the trigger has read them. */
  adminSignInRequests: 'admin_sign_in_requests',
  /**
   * The ids of these five are SHA-256 hashes: of the sign-in link's token, the cookie's token, the key, and the address
   * (for two of them).
   */
  adminSignInTokens: 'admin_sign_in_tokens',
  adminSessions: 'admin_sessions',
  apiKeys: 'api_keys',
  adminSettings: 'admin_settings',
  /** The dashboard's users, invited by admins. */
  adminMembers: 'admin_members',
  /** Public data of passkeys. The id is the SHA-256 of the credential id. */
  adminPasskeys: 'admin_passkeys',
  adminAudit: 'admin_audit',

  /** Token buckets of the rate limits. */
  throttles: 'throttles',
  /** Requests of API keys with an `Idempotency-Key`. The id is a hash of the key and that header. */
  idempotencyKeys: 'idempotency_keys',
  /** Used tokens of human checks. The id is the SHA-256 of the token. */
  humanTokens: 'human_tokens',
  /**
   * Prevents erased sessions from being stored again, by `firestore.rules`. The id is the SHA-256 of the session id.
   */
  erasedSessions: 'erased_sessions',
} as const;
